package blocks

import (
	"slices"

	"tileserver/decode/rows"
)

// unpack copies the samples that job asks for from a block in the machine's byte order to the
// target.
func unpack(block []byte, job *Job) {
	switch l := job.Layout; {
	case l.isSubsampled():
		unpackChromaBlocks(block, job)
	case l.Fields != nil:
		unpackFields(block, job)
	case l.isNarrowFloat():
		unpackNarrowFloats(block, job)
	case !l.hasMemorySize():
		unpackBits(block, job)
	case l.Bits == 8:
		unpackWords[uint8](block, job)
	case l.Bits == 16:
		unpackWords[uint16](block, job)
	case l.Bits == 32:
		unpackWords[uint32](block, job)
	case l.Bits == 64:
		unpackWords[uint64](block, job)
	case l.Bits == 128:
		unpackWords[pair](block, job)
	}
}

// unpackWords copies samples that are stored as they are in memory.
func unpackWords[T cell](block []byte, job *Job) {
	l, width := job.Layout, job.Target.Width()
	perRow := l.Width * l.Samples
	source := asWords[T](block)
	planes := targetPlanes[T](job)
	split := splitTargets[T](job)
	for y := range job.Target.Height() {
		row := source[y*perRow+job.Column*l.Samples:][:width*l.Samples]
		for i, s := range job.Samples {
			switch plane := planes[i][y*width:][:width]; {
			case l.Samples == 1:
				copy(plane, row)
			case split != nil:
				split[s] = plane
			default:
				rows.Pick(plane, row[s:], l.Samples)
			}
		}
		if split != nil {
			rows.Split(split, row)
		}
	}
}

// splitTargets returns one row per sample for rows.Split, which splits all samples of a pixel in
// one pass. Samples that job does not ask for get a scratch row. It returns nil if picking one
// sample after the other is the better way: for a single sample, for many samples, or if a sample
// is asked for twice.
func splitTargets[T cell](job *Job) [][]T {
	const maxSamples = 4
	requested, samples := job.Samples, job.Layout.Samples
	if len(requested) < 2 || samples < 2 || samples > maxSamples {
		return nil
	}
	split := make([][]T, samples)
	for s := range split {
		if !slices.Contains(requested, s) {
			split[s] = make([]T, job.Target.Width())
		}
	}
	for i, s := range requested {
		if slices.Contains(requested[:i], s) {
			return nil
		}
	}
	return split
}

// targetPlanes returns the target planes that receive job.Samples, in that order.
func targetPlanes[T cell](job *Job) [][]T {
	planes := make([][]T, len(job.Samples))
	for i := range planes {
		planes[i] = asWords[T](job.Target.Plane(job.FirstBand + i))
	}
	return planes
}
