package expression

import (
	"math"
	"slices"
	"sync"
)

// A Program is an expression in the form in which it is run. It may run in any number of
// goroutines at once.
type Program struct {
	bands     []int
	canonical string
	cost      int

	constants    []float64 // of the first registers
	instructions []instruction
	stored       []uint16 // the register of each output
	registers    int

	scratch sync.Pool // of *[]vector
}

// An instruction computes one register from others, or loads it from the plane of that number.
type instruction struct {
	operation operation
	to        uint16
	operands  [maxOperands]uint16
	plane     uint16
}

// Bands are the distinct source bands, ascending: the planes that Run reads, in this order.
func (p *Program) Bands() []int { return slices.Clone(p.bands) }

// Outputs is how many results Run writes.
func (p *Program) Outputs() int { return len(p.stored) }

// String is the same for the same expression written with other spaces or parentheses. Parsed and
// compiled again, it gives the same program and the same String.
func (p *Program) String() string { return p.canonical }

// Cost is about what a pixel takes at most, in half nanoseconds.
func (p *Program) Cost() int { return p.cost }

// An assembler gives registers to values.
type assembler struct {
	program *Program
	graph   *graph
	lastUse []int32 // by value: the value that needs it last; -1 if none does
	of      []uint16
	free    []uint16
}

// forEver is the last use of what is stored when all is computed.
const forEver = math.MaxInt32

func assemble(from *graph, outputs []int32) *Program {
	g, outputs := lower(from, outputs)
	g.fuse(outputs)
	a := assembler{program: &Program{}, graph: g, of: make([]uint16, len(g.values))}
	a.program.bands = from.bands()
	a.findLastUses(outputs)
	a.placeConstants()
	for at := range g.values {
		if o := g.values[at].operation; a.lastUse[at] >= 0 && o != constant && o != truth {
			a.emit(int32(at))
		}
	}
	for _, output := range outputs {
		a.program.stored = append(a.program.stored, a.of[output])
		a.program.cost++
	}
	return a.program
}

func (a *assembler) operands(at int32) []int32 {
	v := &a.graph.values[at]
	return v.operands[:definitions[v.operation].operands]
}

// findLastUses goes backwards, from what is stored to what that needs.
func (a *assembler) findLastUses(outputs []int32) {
	a.lastUse = slices.Repeat([]int32{-1}, len(a.graph.values))
	for _, output := range outputs {
		a.lastUse[output] = forEver
	}
	for at := int32(len(a.graph.values)) - 1; at >= 0; at-- {
		if a.lastUse[at] < 0 {
			continue
		}
		for _, operand := range a.operands(at) {
			a.lastUse[operand] = max(a.lastUse[operand], at)
		}
	}
}

// placeConstants gives them the first registers, which are filled once and for all.
func (a *assembler) placeConstants() {
	p := a.program
	for at, v := range a.graph.values {
		if a.lastUse[at] >= 0 && (v.operation == constant || v.operation == truth) {
			a.of[at] = uint16(len(p.constants))
			p.constants = append(p.constants, math.Float64frombits(v.bits))
			a.lastUse[at] = forEver
		}
	}
	p.registers = len(p.constants)
}

// emit appends the instruction of a value. It may write over its own operands, as every element
// is read before it is written.
func (a *assembler) emit(at int32) {
	v := &a.graph.values[at]
	i := instruction{operation: v.operation}
	if v.operation == band {
		plane, _ := slices.BinarySearch(a.program.bands, int(v.bits))
		i.plane = uint16(plane)
	}
	for j, operand := range a.operands(at) {
		i.operands[j] = a.of[operand]
		if a.lastUse[operand] == at {
			a.free = append(a.free, a.of[operand])
			a.lastUse[operand] = forEver // it may be an operand twice, and is free once
		}
	}
	i.to = a.register()
	a.of[at] = i.to
	a.program.instructions = append(a.program.instructions, i)
	a.program.cost += definitions[v.operation].cost
}

func (a *assembler) register() uint16 {
	if last := len(a.free) - 1; last >= 0 {
		register := a.free[last]
		a.free = a.free[:last]
		return register
	}
	a.program.registers++
	return uint16(a.program.registers - 1)
}
