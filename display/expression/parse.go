package expression

// The levels of binding of operators, as in Python: "&" binds tighter than "<".
const (
	lowestLevel = iota + 1
	orLevel
	andLevel
	notLevel
	comparisonLevel
	bitOrLevel
	bitAndLevel
	sumLevel
	productLevel
	signLevel
	powerLevel
	highestLevel
)

// A parser is a recursive-descent parser with one token of lookahead.
type parser struct {
	source *Source
	token  token
	next   int // byte after the token
	depth  int
}

func (p *parser) advance() (err error) {
	p.token, p.next, err = scan(p.source.text, p.next)
	return err
}

func (p *parser) fail(format string, arguments ...any) error {
	return invalidAt(p.source.text, p.token.at, format, arguments...)
}

// accept reads a symbol if it is the next token.
func (p *parser) accept(symbol string) (bool, error) {
	if !p.token.is(symbol) {
		return false, nil
	}
	return true, p.advance()
}

func (p *parser) expect(symbol string) error {
	found, err := p.accept(symbol)
	if err == nil && !found {
		err = p.fail("expected an operator or %q, not %v", symbol, p.token)
	}
	return err
}

func (p *parser) add(n node) (int32, error) {
	if len(p.source.nodes) == MaxNodes {
		return 0, invalidAt(p.source.text, n.at, "it has more than %d parts", MaxNodes)
	}
	p.source.nodes = append(p.source.nodes, n)
	return int32(len(p.source.nodes) - 1), nil
}

// nested parses text within parentheses, in a list or in an exponent. It limits the depth.
func (p *parser) nested(parse func() (int32, error)) (int32, error) {
	if p.depth == MaxDepth {
		return 0, p.fail("it is nested more than %d deep", MaxDepth)
	}
	p.depth++
	defer func() { p.depth-- }()
	return parse()
}

// outputs parses the whole text. A trailing ";" is allowed, as in other servers.
func (p *parser) outputs() error {
	for {
		if len(p.source.outputs) == MaxOutputs {
			return p.fail("it has more than %d outputs", MaxOutputs)
		}
		output, err := p.expression()
		if err != nil {
			return err
		}
		p.source.outputs = append(p.source.outputs, output)
		more, err := p.accept(";")
		if err != nil {
			return err
		}
		if p.token.kind == endToken {
			return nil
		}
		if !more {
			return p.fail(`expected an operator, ";" or the end, not %v`, p.token)
		}
	}
}

func (p *parser) expression() (int32, error) { return p.binary(lowestLevel) }

// binary parses operands and the operators between them that have at least the given level.
func (p *parser) binary(level int) (int32, error) {
	left, err := p.prefix(level)
	if err != nil {
		return 0, err
	}
	for {
		operator, reach, ok := binaryOperator(p.token)
		if !ok || reach < level {
			return left, nil
		}
		at := p.token.at
		if err := p.advance(); err != nil {
			return 0, err
		}
		right, err := p.binary(reach + 1)
		if err != nil {
			return 0, err
		}
		if left, err = p.add(node{operation: operator, operands: [maxOperands]int32{left, right}, at: at}); err != nil {
			return 0, err
		}
		if _, next, ok := binaryOperator(p.token); ok && reach == comparisonLevel && next == comparisonLevel {
			return 0, p.fail(`comparisons do not chain, and "&" and "|" bind more tightly than they do: ` +
				`write each in parentheses, as in (b1>3)&(b2>4)`)
		}
	}
}

// prefix parses an operand with its prefix operators.
func (p *parser) prefix(level int) (int32, error) {
	operator, reach, ok := prefixOperator(p.token)
	if !ok {
		return p.power()
	}
	if level > reach {
		return 0, p.fail("expected parentheses around the operand that begins with %v", p.token)
	}
	at := p.token.at
	if err := p.advance(); err != nil {
		return 0, err
	}
	operand, err := p.nested(func() (int32, error) { return p.binary(reach) })
	if err != nil || operator == unaryPlus {
		return operand, err
	}
	return p.add(node{operation: operator, operands: [maxOperands]int32{operand}, at: at})
}

// power parses an operand and its exponent. Powers associate to the right.
func (p *parser) power() (int32, error) {
	base, err := p.operand()
	if err != nil || !p.token.is("**") {
		return base, err
	}
	at := p.token.at
	if err := p.advance(); err != nil {
		return 0, err
	}
	exponent, err := p.nested(func() (int32, error) { return p.prefix(signLevel) })
	if err != nil {
		return 0, err
	}
	return p.add(node{operation: raise, operands: [maxOperands]int32{base, exponent}, at: at})
}

// operand parses a number, a band, a call or an expression in parentheses.
func (p *parser) operand() (int32, error) {
	t := p.token
	switch {
	case t.kind == numberToken:
		if err := p.advance(); err != nil {
			return 0, err
		}
		return p.add(node{operation: constant, value: t.value, at: t.at})
	case t.kind == quotedToken:
		if err := p.advance(); err != nil {
			return 0, err
		}
		return p.add(node{operation: band, name: t.text, at: t.at})
	case t.kind == nameToken && !isKeyword(t.text):
		return p.nameOperand()
	case t.is("("):
		return p.parenthesized()
	}
	return 0, p.fail(`expected a number, a band, a function or "(", not %v`, t)
}

func (p *parser) parenthesized() (int32, error) {
	if err := p.advance(); err != nil {
		return 0, err
	}
	inner, err := p.nested(p.expression)
	if err != nil {
		return 0, err
	}
	return inner, p.expect(")")
}
