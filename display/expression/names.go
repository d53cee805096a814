package expression

// functionNamed returns the function of a name.
func functionNamed(name string) (operation, bool) {
	for o := range definitions {
		if d := &definitions[o]; d.level == 0 && d.operands > 0 && d.name == name {
			return operation(o), true
		}
	}
	switch name { // the names in NumPy
	case "minimum":
		return minimum, true
	case "maximum":
		return maximum, true
	}
	return 0, false
}

// binaryOperator returns the binary operator of a token and its level. It excludes powers, whose
// exponent is parsed separately.
func binaryOperator(t token) (o operation, level int, ok bool) {
	switch {
	case t.is("and"):
		return logicalAnd, andLevel, true
	case t.is("or"):
		return logicalOr, orLevel, true
	case t.kind != symbolToken:
		return 0, 0, false
	}
	for o := range definitions {
		if d := &definitions[o]; d.operands == 2 && d.level > 0 && d.level < signLevel && d.name == t.text {
			return operation(o), d.level, true
		}
	}
	return 0, 0, false
}

// prefixOperator returns the prefix operator of a token and its level.
func prefixOperator(t token) (o operation, level int, ok bool) {
	switch {
	case t.is("-"):
		return negative, signLevel, true
	case t.is("+"):
		return unaryPlus, signLevel, true
	case t.is("~"):
		return logicalNot, signLevel, true
	case t.is("not"):
		return logicalNot, notLevel, true
	}
	return 0, 0, false
}
