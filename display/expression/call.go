package expression

import (
	"math"
	"slices"
)

// namedConstants are the reserved names of constants. A band with such a name must be quoted.
var namedConstants = []struct {
	name      string
	operation operation
	value     float64
}{
	{"pi", constant, math.Pi},
	{"e", constant, math.E},
	{"nan", constant, math.NaN()},
	{"inf", constant, math.Inf(1)},
	{"True", truth, 1},
	{"False", truth, 0},
}

func isKeyword(name string) bool { return slices.Contains([]string{"and", "or", "not"}, name) }

// isReserved reports whether a band of this name must be quoted.
func isReserved(name string) bool {
	for _, c := range namedConstants {
		if c.name == name {
			return true
		}
	}
	return isKeyword(name)
}

// nameOperand parses an operand that begins with a name: a call, a constant or a band.
func (p *parser) nameOperand() (int32, error) {
	name := p.token
	if err := p.advance(); err != nil {
		return 0, err
	}
	if p.token.is("(") {
		return p.call(name)
	}
	for _, c := range namedConstants {
		if c.name == name.text {
			return p.add(node{operation: c.operation, value: c.value, at: name.at})
		}
	}
	return p.add(node{operation: band, name: name.text, at: name.at})
}

// call parses the arguments of a function.
func (p *parser) call(name token) (int32, error) {
	function, ok := functionNamed(name.text)
	if !ok {
		return 0, invalidAt(p.source.text, name.at, "unknown function %q", name.text)
	}
	if err := p.advance(); err != nil {
		return 0, err
	}
	var operands []int32
	for !p.token.is(")") || len(operands) > 0 {
		operand, err := p.nested(p.expression)
		if err != nil {
			return 0, err
		}
		operands = append(operands, operand)
		more, err := p.accept(",")
		if err != nil {
			return 0, err
		}
		if !more {
			break
		}
	}
	if err := p.expectClosing(function, len(operands)); err != nil {
		return 0, err
	}
	return p.addCall(function, operands, name)
}

// expectClosing reads the closing parenthesis of a call. The error tells what an incomplete call
// lacks.
func (p *parser) expectClosing(function operation, operands int) error {
	needed := definitions[function].operands
	if !p.token.is(")") {
		if operands < needed {
			return p.fail(`expected an operator or ",", not %v`, p.token)
		}
		return p.expect(")")
	}
	if operands < needed || operands > needed && !function.isVariadic() {
		return p.fail("%s takes %s, not %d", definitions[function].name, function.operandCountText(), operands)
	}
	return p.advance()
}

// addCall adds the node of a call. A call of min or max with many operands becomes nested pairs.
func (p *parser) addCall(function operation, operands []int32, name token) (int32, error) {
	n := node{operation: function, at: name.at}
	if !function.isVariadic() {
		copy(n.operands[:], operands)
		return p.add(n)
	}
	first := operands[0]
	for _, operand := range operands[1:] {
		n.operands = [maxOperands]int32{first, operand}
		var err error
		if first, err = p.add(n); err != nil {
			return 0, err
		}
	}
	return first, nil
}
