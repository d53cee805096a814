package expression

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// canonical writes the outputs with the fewest possible parentheses and without spaces.
func (c *compiler) canonical() string {
	var to strings.Builder
	for i, output := range c.outputs {
		if i > 0 {
			to.WriteByte(';')
		}
		c.write(&to, output, lowestLevel)
	}
	return to.String()
}

// write writes a value in a position that requires at least the given level of binding.
func (c *compiler) write(to *strings.Builder, at int32, level int) {
	v := &c.graph.values[at]
	d := &definitions[v.operation]
	if bindingOf(v) < level {
		to.WriteByte('(')
		defer to.WriteByte(')')
	}
	switch {
	case v.operation == constant:
		to.WriteString(constantText(math.Float64frombits(v.bits)))
	case v.operation == truth:
		to.WriteString(truthText(v.bits != 0))
	case v.operation == band:
		to.WriteString(bandText(c.names[at]))
	case d.level == 0:
		c.writeCall(to, v)
	case d.operands == 1:
		to.WriteString(d.name)
		c.write(to, v.operands[0], signLevel)
	case v.operation == raise:
		c.write(to, v.operands[0], highestLevel)
		to.WriteString(d.name)
		c.write(to, v.operands[1], signLevel)
	default:
		left := d.level
		if left == comparisonLevel {
			left++ // comparisons do not chain
		}
		c.write(to, v.operands[0], left)
		to.WriteString(d.name)
		c.write(to, v.operands[1], d.level+1)
	}
}

// writeCall writes a call. Nested pairs of min or max become one call.
func (c *compiler) writeCall(to *strings.Builder, v *value) {
	to.WriteString(definitions[v.operation].name)
	to.WriteByte('(')
	c.writeOperands(to, v)
	to.WriteByte(')')
}

func (c *compiler) writeOperands(to *strings.Builder, v *value) {
	for i, operand := range v.operands[:definitions[v.operation].operands] {
		if i > 0 {
			to.WriteByte(',')
		}
		first := &c.graph.values[operand]
		if i == 0 && v.operation.isVariadic() && first.operation == v.operation {
			c.writeOperands(to, first)
			continue
		}
		c.write(to, operand, lowestLevel)
	}
}

// bindingOf returns the level of binding of a value's text.
func bindingOf(v *value) int {
	if v.operation == constant && math.Signbit(math.Float64frombits(v.bits)) {
		return signLevel
	}
	if level := definitions[v.operation].level; level > 0 {
		return level
	}
	return highestLevel
}

func constantText(v float64) string {
	switch {
	case v != v:
		return "nan"
	case math.IsInf(v, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(v, 'g', -1, 64)), "+")
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func truthText(v bool) string {
	if v {
		return "True"
	}
	return "False"
}

// bandText returns the name of a band, quoted if it is not a plain name. The quotes are characters
// that the name does not contain.
func bandText(name string) string {
	first, _ := utf8.DecodeRuneInString(name)
	if startsName(first) && nameLength(name) == len(name) && !isReserved(name) {
		return name
	}
	quote := `"`
	for _, other := range []string{`'`, "`"} {
		if strings.Contains(name, quote) {
			quote = other
		}
	}
	return quote + name + quote
}
