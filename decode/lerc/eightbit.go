package lerc

import "fmt"

// decodeSymbols decodes 8-bit samples that are each a symbol of a Huffman code.
func (d *Decoder) decodeSymbols(b *blob, in *reader, dst, mask []byte) error {
	words, err := d.readCode(b, in)
	if err != nil {
		return err
	}
	pixels := b.Width * b.Height
	for begin, end := nextRun(mask, 0, pixels); begin < end; begin, end = nextRun(mask, end, pixels) {
		if err := d.codes.decode(dst[begin*b.Depth:end*b.Depth], &words); err != nil {
			return err
		}
	}
	skipWords(in, &words)
	return nil
}

// decodeDeltas decodes 8-bit samples, one value of all pixels after another, that are each the difference to the pixel on
// their left or, where that is not valid, above or, where neither is, to the last valid one before.
func (d *Decoder) decodeDeltas(b *blob, in *reader, dst, mask []byte) error {
	words, err := d.readCode(b, in)
	if err != nil {
		return err
	}
	for value := range b.Depth {
		previous := uint8(0)
		for y := range b.Height {
			rowEnd := (y + 1) * b.Width
			for begin, end := nextRun(mask, y*b.Width, rowEnd); begin < end; begin, end = nextRun(mask, end, rowEnd) {
				if y > 0 && (mask == nil || mask[begin-b.Width] == valid) {
					previous = dst[(begin-b.Width)*b.Depth+value]
				}
				previous, err = d.decodeRun(dst[begin*b.Depth+value:(end-1)*b.Depth+value+1], b.Depth, previous, &words)
				if err != nil {
					return fmt.Errorf("row %d: %w", y, err)
				}
			}
		}
	}
	skipWords(in, &words)
	return nil
}

// decodeRun decodes neighbours in a row, which are depth bytes apart, and returns the last of them.
func (d *Decoder) decodeRun(run []byte, depth int, previous uint8, words *bitWords) (last uint8, err error) {
	deltas := run
	if depth > 1 {
		deltas = d.scratchBytes((len(run) + depth - 1) / depth)
	}
	if err := d.codes.decode(deltas, words); err != nil {
		return 0, err
	}
	at := 0
	for _, delta := range deltas {
		previous += delta
		run[at] = previous
		at += depth
	}
	return previous, nil
}

// readCode reads the code of a band of 8-bit samples, and says where what is written in it begins.
func (d *Decoder) readCode(b *blob, in *reader) (bitWords, error) {
	bias := uint8(0)
	if b.Type == Int8 {
		bias = 128
	}
	err := d.codes.read(d, in, b.Version, b.ValidPixels*b.Depth, bias)
	return bitWords{src: in.rest()}, err
}

// skipWords moves in behind the words that were read, and behind one more that is there for decoders that read ahead.
func skipWords(in *reader, words *bitWords) {
	in.pos += min((words.bit+31)/32*4+4, len(in.rest()))
}
