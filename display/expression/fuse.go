package expression

// fuse merges operations that follow each other into one that has the same roundings and passes
// over memory once. Merged values stay in the graph unused.
func (g *graph) fuse(outputs []int32) {
	uses := g.uses(outputs)
	for at := range g.values {
		v := &g.values[at]
		if uses[at] == 0 {
			continue
		}
		first, second := v.operands[0], v.operands[1]
		isProduct := func(at int32) bool { return g.values[at].operation == multiply && uses[at] == 1 }
		switch {
		case v.operation == add && isProduct(first):
			g.fuseProduct(v, productPlus, first, second)
		case v.operation == add && isProduct(second):
			g.fuseProduct(v, productPlus, second, first)
		case v.operation == subtract && isProduct(first):
			g.fuseProduct(v, productMinus, first, second)
		case v.operation == subtract && isProduct(second):
			g.fuseProduct(v, minusProduct, second, first)
		case v.operation == divide && uses[first] == 1 && uses[second] == 1:
			g.fuseNormalized(v)
		}
	}
}

// uses counts how often each value is an operand of needed values, or an output.
func (g *graph) uses(outputs []int32) []int {
	uses := make([]int, len(g.values))
	for _, output := range outputs {
		uses[output]++
	}
	for at := len(g.values) - 1; at >= 0; at-- {
		if v := &g.values[at]; uses[at] > 0 {
			for _, operand := range v.operands[:definitions[v.operation].operands] {
				uses[operand]++
			}
		}
	}
	return uses
}

func (g *graph) fuseProduct(v *value, fused operation, product, other int32) {
	factors := g.values[product].operands
	v.operation, v.operands = fused, [maxOperands]int32{factors[0], factors[1], other}
}

// fuseNormalized fuses a quotient of the difference and the sum of the same two values.
func (g *graph) fuseNormalized(v *value) {
	above, below := &g.values[v.operands[0]], &g.values[v.operands[1]]
	if above.operation != subtract || below.operation != add {
		return
	}
	a, b := above.operands[0], above.operands[1]
	if c, d := below.operands[0], below.operands[1]; a == c && b == d || a == d && b == c {
		v.operation, v.operands = normalizedDifference, above.operands
	}
}
