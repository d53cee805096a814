package expression

// Compile settles an expression for the bands of a dataset. resolve tells the number of the band
// of a name, which is any text that was in quotes or a word; Numbered knows "b1" and so on.
func (s *Source) Compile(resolve func(name string) (band int, ok bool)) (*Program, error) {
	c := compiler{source: s, resolve: resolve, graph: newGraph(len(s.nodes)), names: map[int32]string{}}
	if err := c.compile(); err != nil {
		return nil, err
	}
	canonical := c.canonical()
	// Longer names of the same band and more digits of numbers can make it longer than its source.
	if _, err := Parse(canonical); err != nil {
		return nil, invalid("it is too long when it is written out in full")
	}
	p := assemble(c.graph, c.outputs)
	p.canonical = canonical
	if p.cost > MaxCost {
		return nil, invalid("it costs %d a pixel, more than %d", p.cost, MaxCost)
	}
	return p, nil
}

// A compiler makes values of nodes. Equal ones become one.
type compiler struct {
	source  *Source
	resolve func(string) (int, bool)
	graph   *graph
	names   map[int32]string // of the values that are bands, as first written
	made    []int32          // the value of each node
	outputs []int32
}

func (c *compiler) compile() error {
	c.made = make([]int32, len(c.source.nodes))
	for i := range c.source.nodes {
		made, err := c.value(&c.source.nodes[i])
		if err != nil {
			return err
		}
		c.made[i] = made
	}
	for _, output := range c.source.outputs {
		c.outputs = append(c.outputs, c.made[output])
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
		operands[i] = c.made[n.operands[i]]
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
	made := c.graph.band(number)
	if _, named := c.names[made]; !named {
		c.names[made] = n.name
	}
	return made, nil
}

// check tells of an operand that is not of the kind that a node wants. A boolean is a number, too.
func (c *compiler) check(n *node, operand int32) error {
	if definitions[n.operation].wants == boolean && c.graph.values[operand].kind != boolean {
		return invalidAt(c.source.text, n.at, "%s wants comparisons, not a number: write them in parentheses, "+
			"as in (b1>3)&(b2>4)", definitions[n.operation].name)
	}
	return nil
}
