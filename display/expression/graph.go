package expression

import (
	"math"
	"slices"
)

// A value is the result of an operation. Its operands precede it in the graph.
type value struct {
	operation operation
	kind      kind
	operands  [maxOperands]int32
	bits      uint64 // of a constant; the number of a band
}

// A graph holds every value once. Operations on constants are folded into constants.
type graph struct {
	values []value
	known  map[value]int32
}

func newGraph(values int) *graph {
	return &graph{values: make([]value, 0, values), known: make(map[value]int32, values)}
}

func (g *graph) constant(v float64) int32 {
	return g.intern(value{operation: constant, bits: canonicalBits(v)})
}

func (g *graph) band(number int) int32 {
	return g.intern(value{operation: band, bits: uint64(number)})
}

// add returns the value of an operation on other values.
func (g *graph) add(o operation, operands ...int32) int32 {
	v := value{operation: o, kind: g.kindOf(o, operands)}
	copy(v.operands[:], operands)
	var constants [maxOperands]float64
	for i, operand := range operands {
		operand := &g.values[operand]
		if operand.operation != constant && operand.operation != truth {
			return g.intern(v)
		}
		constants[i] = math.Float64frombits(operand.bits)
	}
	result := o.compute(constants[0], constants[1], constants[2])
	if v.kind == boolean {
		return g.truth(result)
	}
	return g.constant(result)
}

func (g *graph) truth(v float64) int32 {
	return g.intern(value{operation: truth, kind: boolean, bits: math.Float64bits(v)})
}

// kindOf returns the kind of a result. The kind of where is that of its choices.
func (g *graph) kindOf(o operation, operands []int32) kind {
	if o == where && g.values[operands[1]].kind == boolean && g.values[operands[2]].kind == boolean {
		return boolean
	}
	return definitions[o].resultKind
}

// intern returns the value that equals v, and adds it if there is none.
func (g *graph) intern(v value) int32 {
	key := v
	if v.operation.commutes() {
		key.operands[0], key.operands[1] = min(v.operands[0], v.operands[1]), max(v.operands[0], v.operands[1])
	}
	if at, ok := g.known[key]; ok {
		return at
	}
	at := int32(len(g.values))
	g.values = append(g.values, v)
	g.known[key] = at
	return at
}

// bands returns the numbers of all bands, ascending.
func (g *graph) bands() []int {
	var bands []int
	for _, v := range g.values {
		if v.operation == band {
			bands = append(bands, int(v.bits))
		}
	}
	slices.Sort(bands)
	return bands
}

// canonicalBits returns the bits of v. All NaNs have one pattern, since patterns differ between
// machines.
func canonicalBits(v float64) uint64 {
	if v != v {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(v)
}
