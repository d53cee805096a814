package expression

import (
	"math"
	"slices"
	"sync"
)

// A Program is a compiled expression. It may run in any number of goroutines at once.
type Program struct {
	bands     []int
	canonical string
	cost      int

	constants       []float64 // in the first registers
	instructions    []instruction
	outputRegisters []uint16 // the register of each output
	registers       int

	scratch sync.Pool // of *[]vector
}

// An instruction computes one register from others, or loads it from a plane.
type instruction struct {
	operation operation
	to        uint16
	operands  [maxOperands]uint16
	plane     uint16
}

// Bands returns the source bands without duplicates, ascending. Run reads planes in this order.
func (p *Program) Bands() []int { return slices.Clone(p.bands) }

// Outputs returns the number of results that Run writes.
func (p *Program) Outputs() int { return len(p.outputRegisters) }

// String returns the canonical form of the expression, which does not depend on spaces and
// parentheses. It parses and compiles to the same program.
func (p *Program) String() string { return p.canonical }

// Cost returns the approximate maximum cost of a pixel, in half nanoseconds.
func (p *Program) Cost() int { return p.cost }

// An assembler allocates registers for values.
type assembler struct {
	program    *Program
	graph      *graph
	lastUse    []int32 // by value: the last value that needs it; -1 if none does
	registerOf []uint16
	free       []uint16
}

// neverFreed is the last use of outputs and constants.
const neverFreed = math.MaxInt32

func assemble(from *graph, outputs []int32) *Program {
	g, outputs := lower(from, outputs)
	g.fuse(outputs)
	a := assembler{program: &Program{}, graph: g, registerOf: make([]uint16, len(g.values))}
	a.program.bands = from.bands()
	a.findLastUses(outputs)
	a.placeConstants()
	for at := range g.values {
		if o := g.values[at].operation; a.lastUse[at] >= 0 && o != constant && o != truth {
			a.emit(int32(at))
		}
	}
	for _, output := range outputs {
		a.program.outputRegisters = append(a.program.outputRegisters, a.registerOf[output])
		a.program.cost++
	}
	return a.program
}

func (a *assembler) operands(at int32) []int32 {
	v := &a.graph.values[at]
	return v.operands[:definitions[v.operation].operands]
}

// findLastUses finds the last use of each value, backward from the outputs.
func (a *assembler) findLastUses(outputs []int32) {
	a.lastUse = slices.Repeat([]int32{-1}, len(a.graph.values))
	for _, output := range outputs {
		a.lastUse[output] = neverFreed
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

// placeConstants puts constants into the first registers, which are filled once.
func (a *assembler) placeConstants() {
	p := a.program
	for at, v := range a.graph.values {
		if a.lastUse[at] >= 0 && (v.operation == constant || v.operation == truth) {
			a.registerOf[at] = uint16(len(p.constants))
			p.constants = append(p.constants, math.Float64frombits(v.bits))
			a.lastUse[at] = neverFreed
		}
	}
	p.registers = len(p.constants)
}

// emit appends the instruction of a value. The result may overwrite an operand, since every element
// is read before it is written.
func (a *assembler) emit(at int32) {
	v := &a.graph.values[at]
	i := instruction{operation: v.operation}
	if v.operation == band {
		plane, _ := slices.BinarySearch(a.program.bands, int(v.bits))
		i.plane = uint16(plane)
	}
	for j, operand := range a.operands(at) {
		i.operands[j] = a.registerOf[operand]
		if a.lastUse[operand] == at {
			a.free = append(a.free, a.registerOf[operand])
			a.lastUse[operand] = neverFreed // an operand that occurs twice is freed once
		}
	}
	i.to = a.register()
	a.registerOf[at] = i.to
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
