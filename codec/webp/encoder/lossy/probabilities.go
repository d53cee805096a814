package lossy

import "tileserver/codec/webp/vp8"

// probabilityTable holds the probabilities of a 0 in 256ths, by the indexes in tokens.
type probabilityTable [indexCount]uint8

// writeProbabilities replaces those probabilities for which that saves bits (RFC 6386, section
// 13.4).
func (e *Encoder) writeProbabilities(p *probabilityTable) {
	e.tokens.countSteps()
	position := 0
	for i := range vp8.InitialCoefficients {
		for j := range vp8.InitialCoefficients[i] {
			for k := range vp8.InitialCoefficients[i][j] {
				for l, initial := range vp8.InitialCoefficients[i][j][k] {
					p[position] = e.writer.probability(e.tokens.counts[position], initial, vp8.CoefficientUpdates[i][j][k][l])
					position++
				}
			}
		}
	}
	for i := range 256 {
		p[constant+i] = uint8(i)
	}
}

// probability writes a new probability for the given counts of zeros and ones, unless the initial
// one is cheaper. update is the probability of no update. It returns the probability in effect.
func (w *boolWriter) probability(counts [2]uint32, initial, update uint8) uint8 {
	if counts != [2]uint32{} {
		suited := probabilityOf(counts[0], counts[1])
		stay := costOf(counts, initial) + uint64(bitCost(0, update))
		change := costOf(counts, suited) + uint64(bitCost(1, update)+8*wholeBit)
		if change < stay {
			w.bit(1, update)
			w.uint(int(suited), 8)
			return suited
		}
	}
	w.bit(0, update)
	return initial
}

func costOf(counts [2]uint32, p uint8) uint64 {
	return uint64(counts[0])*uint64(bitCost(0, p)) + uint64(counts[1])*uint64(bitCost(1, p))
}

// probabilityOf returns the probability of a 0 for the given counts.
func probabilityOf(zeros, ones uint32) uint8 {
	total := uint64(zeros) + uint64(ones)
	return uint8(min(max((256*uint64(zeros)+total/2)/total, 1), 255))
}
