package expression

import "fmt"

// vectorLength is the number of pixels computed together. It amortizes the dispatch of
// instructions, and the registers of common expressions still fit the first-level cache.
const vectorLength = 512

type vector [vectorLength]float64

// Run computes length pixels. Inputs are the planes of Bands, and results those of the outputs, in
// order. Nothing is written if one of them is missing or too short.
func (p *Program) Run(inputs []Plane, results []Result, length int) error {
	if err := p.check(inputs, results, length); err != nil {
		return err
	}
	registers := p.scratchRegisters()
	defer p.scratch.Put(registers)
	for at := 0; at < length; at += vectorLength {
		p.compute(*registers, inputs, at, min(vectorLength, length-at))
		p.store(*registers, results, at, min(vectorLength, length-at))
	}
	return nil
}

func (p *Program) check(inputs []Plane, results []Result, length int) error {
	if length < 0 || len(inputs) != len(p.bands) || len(results) != len(p.outputRegisters) {
		return fmt.Errorf("expression: %d inputs and %d results of %d pixels, need %d and %d",
			len(inputs), len(results), length, len(p.bands), len(p.outputRegisters))
	}
	for i, input := range inputs {
		if input.Len() < length {
			return fmt.Errorf("expression: input %d has %d of %d pixels", i, input.Len(), length)
		}
	}
	for i, result := range results {
		if result.Len() < length {
			return fmt.Errorf("expression: result %d has %d of %d pixels", i, result.Len(), length)
		}
	}
	return nil
}

// scratchRegisters returns registers of an earlier run, or allocates them.
func (p *Program) scratchRegisters() *[]vector {
	if registers, ok := p.scratch.Get().(*[]vector); ok {
		return registers
	}
	registers := make([]vector, p.registers)
	for i, value := range p.constants {
		for j := range registers[i] {
			registers[i][j] = value
		}
	}
	return &registers
}

func (p *Program) compute(registers []vector, inputs []Plane, at, length int) {
	for i := range p.instructions {
		n := &p.instructions[i]
		to := registers[n.to][:length]
		if n.operation == band {
			inputs[n.plane].Load(to, at)
			continue
		}
		a := registers[n.operands[0]][:length]
		b := registers[n.operands[1]][:length]
		c := registers[n.operands[2]][:length]
		n.operation.computeEach(to, a, b, c)
	}
}

func (p *Program) store(registers []vector, results []Result, at, length int) {
	for i, register := range p.outputRegisters {
		results[i].Store(registers[register][:length], at)
	}
}
