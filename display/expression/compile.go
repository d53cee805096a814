package expression

// Compile compiles an expression for the bands of a dataset. Resolve returns the number of a band
// by its name, quoted or not. A typical resolve accepts "b1" and so on by BandNumber.
func (s *Source) Compile(resolve func(name string) (band int, ok bool)) (*Program, error) {
	c := compiler{source: s, resolve: resolve, graph: newGraph(len(s.nodes)), names: map[int32]string{}}
	if err := c.compile(); err != nil {
		return nil, err
	}
	canonical := c.canonical()
	// Other names of the same band and longer forms of numbers can exceed the limit of the source.
	if _, err := Parse(canonical); err != nil {
		return nil, invalid("its canonical form is too long")
	}
	p := assemble(c.graph, c.outputs)
	p.canonical = canonical
	if p.cost > MaxCost {
		return nil, invalid("it costs %d per pixel; the limit is %d", p.cost, MaxCost)
	}
	return p, nil
}

// A compiler converts nodes to values. Equal nodes become one value.
type compiler struct {
	source  *Source
	resolve func(string) (int, bool)
	graph   *graph
	names   map[int32]string // names of the values that are bands, as first written
	valueOf []int32          // value of each node
	outputs []int32
}

func (c *compiler) compile() error {
	c.valueOf = make([]int32, len(c.source.nodes))
	for i := range c.source.nodes {
		at, err := c.value(&c.source.nodes[i])
		if err != nil {
			return err
		}
		c.valueOf[i] = at
	}
	for _, output := range c.source.outputs {
		c.outputs = append(c.outputs, c.valueOf[output])
	}
	return nil
}

func (c *compiler) value(n *node) (int32, error) {
	switch n.operation {
	case constant:
		return c.graph.constant(n.value), nil
	case truth:
		return c.graph.truth(n.value), nil
	case band:
		return c.band(n)
	}
	operands := make([]int32, definitions[n.operation].operands)
	for i := range operands {
		operands[i] = c.valueOf[n.operands[i]]
		if err := c.check(n, operands[i]); err != nil {
			return 0, err
		}
	}
	return c.graph.add(n.operation, operands...), nil
}

func (c *compiler) band(n *node) (int32, error) {
	number, ok := c.resolve(n.name)
	if !ok || number < 0 {
		return 0, invalidAt(c.source.text, n.at, "there is no band %q", n.name)
	}
	at := c.graph.band(number)
	if _, named := c.names[at]; !named {
		c.names[at] = n.name
	}
	return at, nil
}

// check rejects an operand whose kind does not fit a node. A boolean is a valid number.
func (c *compiler) check(n *node, operand int32) error {
	if definitions[n.operation].operandKind == boolean && c.graph.values[operand].kind != boolean {
		return invalidAt(c.source.text, n.at, "%s needs comparisons, not numbers: write them in parentheses, "+
			"as in (b1>3)&(b2>4)", definitions[n.operation].name)
	}
	return nil
}
