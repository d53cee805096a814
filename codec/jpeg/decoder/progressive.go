package decoder

import (
	"fmt"

	"tileserver/codec/jpeg"
)

// progress records which bits of a progressive picture have been decoded.
type progress struct {
	// bits is, per component and zigzag index, the lowest decoded bit plus one, or 0 before the
	// first scan.
	bits [maxComponents][jpeg.BlockSize]uint8

	zeroBlocks int // blocks of the current scan that follow without new coefficients
}

// has reports whether the first coefficients of a component have been decoded.
func (p *progress) has(component int) bool { return p.bits[component][0] > 0 }

// complete reports whether all coefficients are decoded to their last bit.
func (p *progress) complete(component int) bool {
	for _, known := range p.bits[component] {
		if known != 1 {
			return false
		}
	}
	return true
}

// advance records a scan. The scan must continue where the previous scans ended.
func (p *progress) advance(component int, s *scan) error {
	for k := s.first; k <= s.last; k++ {
		known := &p.bits[component][k]
		if s.highBit == 0 && *known != 0 || s.highBit > 0 && int(*known) != s.highBit+1 {
			return fmt.Errorf("%w: a scan of bits %d to %d of coefficient %d, which is decoded to bit %d",
				ErrCorrupt, s.highBit, s.lowBit, k, int(*known)-1)
		}
		*known = uint8(s.lowBit + 1)
	}
	return nil
}

// checkSpectrum returns an error if the coefficients and bits of a progressive scan are invalid.
func (s *scan) checkSpectrum() error {
	const maxLowBit = 13
	if s.first > s.last || s.last >= jpeg.BlockSize || s.first == 0 && s.last != 0 || s.first > 0 && s.interleaved() ||
		s.lowBit > maxLowBit || s.highBit != 0 && s.highBit != s.lowBit+1 {
		return fmt.Errorf("%w: a scan of coefficients %d to %d, bits %d to %d, of %d components",
			ErrCorrupt, s.first, s.last, s.highBit, s.lowBit, s.count)
	}
	return nil
}

// progressiveStep returns the decoding step of a progressive scan.
func (d *Decoder) progressiveStep() (step, error) {
	s := &d.scan
	if err := s.checkSpectrum(); err != nil {
		return nil, err
	}
	for _, c := range s.all() {
		if err := d.progress.advance(c.number, s); err != nil {
			return nil, err
		}
	}
	switch {
	case s.first == 0 && s.highBit == 0:
		return (*Decoder).decodeDC, d.checkHuffman(true, false)
	case s.first == 0:
		return (*Decoder).refineDC, nil
	case s.highBit == 0:
		return (*Decoder).decodeAC, d.checkHuffman(false, true)
	}
	return (*Decoder).refineAC, d.checkHuffman(false, true)
}

// decodeDC is the step of a first scan of the first coefficient.
func (d *Decoder) decodeDC(c *component, blocks []block, _ []uint8) error {
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

// refineDC is the step that adds one bit to the first coefficient.
func (d *Decoder) refineDC(_ *component, blocks []block, _ []uint8) error {
	for i := range blocks {
		blocks[i][0] |= int16(d.entropy.take(1) << d.scan.lowBit)
		if d.entropy.overrun() {
			return errEndsEarly
		}
	}
	return nil
}

// decodeAC is the step of a first scan of the other coefficients.
func (d *Decoder) decodeAC(c *component, blocks []block, lastIndexes []uint8) error {
	h := d.tables.ac[c.acTable]
	for i := range blocks {
		if d.progress.zeroBlocks > 0 {
			d.progress.zeroBlocks--
			continue
		}
		if !d.decodeACBlock(&blocks[i], h) || d.entropy.overrun() {
			return d.entropy.failure()
		}
		lastIndexes[i] = jpeg.BlockSize - 1
	}
	return nil
}

func (d *Decoder) decodeACBlock(b *block, h *huffman) (ok bool) {
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
			b[zigzagIndex[k]] = int16(extend(int32(r.take(size)), size) << s.lowBit)
		case run == zeroRunStep-1:
			k += run
		default:
			d.progress.zeroBlocks = 1<<run + int(r.take(run)) - 1
			return true
		}
	}
	return true
}

// refineAC is the step that adds one bit to the other coefficients, and adds those coefficients
// that become nonzero with that bit.
func (d *Decoder) refineAC(c *component, blocks []block, lastIndexes []uint8) error {
	h := d.tables.ac[c.acTable]
	for i := range blocks {
		if lastIndexes[i] == 0 && d.progress.zeroBlocks > 0 {
			d.progress.zeroBlocks-- // nothing to refine
			continue
		}
		k, ok := d.scan.first, true
		if d.progress.zeroBlocks == 0 {
			k, ok = d.refineWithNew(&blocks[i], h)
			lastIndexes[i] = jpeg.BlockSize - 1
		}
		if ok && d.progress.zeroBlocks > 0 {
			d.refine(&blocks[i], k, jpeg.BlockSize)
			d.progress.zeroBlocks--
		}
		if !ok || d.entropy.overrun() {
			return d.entropy.failure()
		}
	}
	return nil
}

// refineWithNew refines the block and adds new coefficients. It stops at the end of the scan's
// coefficients, or at the index k from which no new coefficients follow.
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
		isFirstRow := int16(0)
		if size > 0 {
			isFirstRow = int16(2*int(r.take(1))-1) << s.lowBit
		}
		k = d.refine(b, k, run)
		if size > 1 || size == 1 && k > s.last {
			return k, false
		}
		if size == 1 {
			b[zigzagIndex[k]] = isFirstRow
		}
	}
	return k, true
}

// refine reads a bit for each nonzero coefficient from k on. It skips zeros zero coefficients and
// returns the index of the zero after them.
func (d *Decoder) refine(b *block, k, zeros int) int {
	r := &d.entropy
	step := int16(1) << d.scan.lowBit
	for ; k <= d.scan.last; k++ {
		coefficient := &b[zigzagIndex[k]]
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
