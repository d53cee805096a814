package jpeg

import "fmt"

// progress is how far the scans of a progressive picture have come.
type progress struct {
	// bits is one more than the lowest bit that is known of each coefficient, in zigzag order; 0 before its first scan.
	bits [maxComponents][blockSize]uint8

	zeroBlocks int // in which nothing new is to come, of a scan
}

// has tells whether anything can be shown of a component.
func (p *progress) has(component int) bool { return p.bits[component][0] > 0 }

// complete tells whether all coefficients are known to their last bit.
func (p *progress) complete(component int) bool {
	for _, known := range p.bits[component] {
		if known != 1 {
			return false
		}
	}
	return true
}

// advance notes a scan, which must go on where those before it ended.
func (p *progress) advance(component int, s *scan) error {
	for k := s.first; k <= s.last; k++ {
		known := &p.bits[component][k]
		if s.highBit == 0 && *known != 0 || s.highBit > 0 && int(*known) != s.highBit+1 {
			return fmt.Errorf("%w: a scan of bits %d to %d of coefficient %d, known to bit %d",
				ErrCorrupt, s.highBit, s.lowBit, k, int(*known)-1)
		}
		*known = uint8(s.lowBit + 1)
	}
	return nil
}

// checkBand tells whether a progressive scan may be about such coefficients and bits.
func (s *scan) checkBand() error {
	const maxLowBit = 13
	if s.first > s.last || s.last >= blockSize || s.first == 0 && s.last != 0 || s.first > 0 && s.interleaved() ||
		s.lowBit > maxLowBit || s.highBit != 0 && s.highBit != s.lowBit+1 {
		return fmt.Errorf("%w: a scan of coefficients %d to %d, bits %d to %d, of %d components",
			ErrCorrupt, s.first, s.last, s.highBit, s.lowBit, s.count)
	}
	return nil
}

// progressiveStep is the step of a progressive scan.
func (d *Decoder) progressiveStep() (step, error) {
	s := &d.scan
	if err := s.checkBand(); err != nil {
		return nil, err
	}
	for _, c := range s.all() {
		if err := d.progress.advance(c.number, s); err != nil {
			return nil, err
		}
	}
	switch {
	case s.first == 0 && s.highBit == 0:
		return (*Decoder).decodeMeans, d.checkHuffman(true, false)
	case s.first == 0:
		return (*Decoder).refineMeans, nil
	case s.highBit == 0:
		return (*Decoder).decodeBand, d.checkHuffman(false, true)
	}
	return (*Decoder).refineBand, d.checkHuffman(false, true)
}

// decodeMeans is the step of the first scan of the first coefficient.
func (d *Decoder) decodeMeans(c *component, blocks []block, _ []uint8) error {
	for i := range blocks {
		difference, ok := d.entropy.value(d.tables.dc[c.dcTable])
		if !ok || d.entropy.overrun() {
			return d.entropy.failure()
		}
		c.prediction += difference
		blocks[i][0] = int16(c.prediction << d.scan.lowBit)
	}
	return nil
}

// refineMeans adds a bit to the first coefficient.
func (d *Decoder) refineMeans(_ *component, blocks []block, _ []uint8) error {
	for i := range blocks {
		blocks[i][0] |= int16(d.entropy.take(1) << d.scan.lowBit)
		if d.entropy.overrun() {
			return errEndsEarly
		}
	}
	return nil
}

// decodeBand is the step of the first scan of other coefficients.
func (d *Decoder) decodeBand(c *component, blocks []block, lasts []uint8) error {
	h := d.tables.ac[c.acTable]
	for i := range blocks {
		if d.progress.zeroBlocks > 0 {
			d.progress.zeroBlocks--
			continue
		}
		if !d.decodeBandOf(&blocks[i], h) || d.entropy.overrun() {
			return d.entropy.failure()
		}
		lasts[i] = blockSize - 1
	}
	return nil
}

func (d *Decoder) decodeBandOf(b *block, h *huffman) (ok bool) {
	r, s := &d.entropy, &d.scan
	for k := s.first; k <= s.last; k++ {
		symbol, ok := r.symbol(h)
		if !ok {
			return false
		}
		run, size := int(symbol>>4), int(symbol&15)
		switch {
		case size > 0:
			if k += run; k > s.last {
				return false
			}
			b[blockOrder[k]] = int16(extend(int32(r.take(size)), size) << s.lowBit)
		case run == zeroRunStep-1:
			k += run
		default:
			d.progress.zeroBlocks = 1<<run + int(r.take(run)) - 1
			return true
		}
	}
	return true
}

// refineBand adds a bit to other coefficients, and new ones that the bit is the first of.
func (d *Decoder) refineBand(c *component, blocks []block, lasts []uint8) error {
	h := d.tables.ac[c.acTable]
	for i := range blocks {
		if lasts[i] == 0 && d.progress.zeroBlocks > 0 {
			d.progress.zeroBlocks-- // there is nothing to refine
			continue
		}
		k, ok := d.scan.first, true
		if d.progress.zeroBlocks == 0 {
			k, ok = d.refineWithNew(&blocks[i], h)
			lasts[i] = blockSize - 1
		}
		if ok && d.progress.zeroBlocks > 0 {
			d.refine(&blocks[i], k, blockSize)
			d.progress.zeroBlocks--
		}
		if !ok || d.entropy.overrun() {
			return d.entropy.failure()
		}
	}
	return nil
}

// refineWithNew goes on to the end of the band, or to where no new coefficients come, which is k.
func (d *Decoder) refineWithNew(b *block, h *huffman) (k int, ok bool) {
	r, s := &d.entropy, &d.scan
	for k = s.first; k <= s.last; k++ {
		symbol, ok := r.symbol(h)
		if !ok {
			return k, false
		}
		run, size := int(symbol>>4), int(symbol&15)
		if size == 0 && run < zeroRunStep-1 {
			d.progress.zeroBlocks = 1<<run + int(r.take(run))
			return k, true
		}
		fresh := int16(0)
		if size > 0 {
			fresh = int16(2*int(r.take(1))-1) << s.lowBit
		}
		k = d.refine(b, k, run)
		if size > 1 || size == 1 && k > s.last {
			return k, false
		}
		if size == 1 {
			b[blockOrder[k]] = fresh
		}
	}
	return k, true
}

// refine reads a bit for each coefficient from k on that is not zero, over zeros of them that are, and returns the place
// of the zero behind those.
func (d *Decoder) refine(b *block, k, zeros int) int {
	r := &d.entropy
	step := int16(1) << d.scan.lowBit
	for ; k <= d.scan.last; k++ {
		coefficient := &b[blockOrder[k]]
		if *coefficient == 0 {
			if zeros == 0 {
				break
			}
			zeros--
			continue
		}
		if r.take(1) == 0 || *coefficient&step != 0 {
			continue
		}
		if *coefficient > 0 {
			*coefficient += step
		} else {
			*coefficient -= step
		}
	}
	return k
}
