//go:build !purego

package ht

import "tileserver/internal/cpu"

// changedAtOnce is the number of columns that changeBMI2 changes in a step.
const changedAtOnce = 8

// stripeChange is what changeBMI2 changes: eight columns a step of four rows of out.
type stripeChange struct {
	here, fresh, signs *uint64
	refinement         *byte
	position           uint // of the next bit of refinement
	out                *int32
	rowBytes           int // from one row to the next
	steps              int
	refined, put       int32 // half of the step of the cleanup pass, or 0, and the size of new samples
}

// changeBMI2 is refiner.changeInGo for whole stripes of whole steps.
//
//go:noescape
func changeBMI2(c *stripeChange)

// change changes the samples of the stripe at row y, where out begins.
func (r *refiner) change(b *Block, y int, here *stripe, out []int32) {
	steps := b.Width / changedAtOnce
	if !cpu.Has.AVX2 || !cpu.Has.BMI2 || steps == 0 || b.Height-y < stripeRows {
		r.changeInGo(b, 0, here, out)
		return
	}
	c := stripeChange{
		here: &here[1], fresh: &r.fresh[1], signs: &r.signs[1],
		refinement: &r.refinement.bytes[0], position: r.refinement.position,
		out: &out[0], rowBytes: 4 * b.Width, steps: steps, put: 3 * r.half,
	}
	if b.Passes > 2 {
		c.refined = r.half
	}
	changeBMI2(&c)
	r.refinement.position = c.position
	r.changeInGo(b, steps*changedAtOnce, here, out)
}
