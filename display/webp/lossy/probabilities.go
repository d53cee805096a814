package lossy

import "tileserver/decode/webp/vp8"

// probabilityTable is the probabilities of tokens by their places: of 0, in parts of 256.
type probabilityTable [places]uint8

// writeProbabilities changes those for which it pays: RFC 6386, 13.4.
func (e *Encoder) writeProbabilities(p *probabilityTable) {
	e.tokens.countSteps()
	place := 0
	for i := range vp8.InitialCoefficients {
		for j := range vp8.InitialCoefficients[i] {
			for k := range vp8.InitialCoefficients[i][j] {
				for l, initial := range vp8.InitialCoefficients[i][j][k] {
					p[place] = e.writer.probability(e.tokens.counts[place], initial, vp8.CoefficientUpdates[i][j][k][l])
					place++
				}
			}
		}
	}
	for i := range 256 {
		p[constant+i] = uint8(i)
	}
}

// probability writes that of bits that were so often 0 and 1, unless the initial one is as good. update is the
// probability that it is not changed. It returns what is taken.
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

// probabilityOf is that of a bit that was 0 and 1 so many times.
func probabilityOf(zeros, ones uint32) uint8 {
	total := uint64(zeros) + uint64(ones)
	return uint8(min(max((256*uint64(zeros)+total/2)/total, 1), 255))
}
