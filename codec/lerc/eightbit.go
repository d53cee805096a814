package lerc

import "fmt"

// decodeSymbols decodes 8-bit samples that are stored as Huffman symbols.
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

// decodeDeltas decodes 8-bit samples that are stored as differences, one value of all pixels after
// another. The reference is the left neighbor. If that is invalid it is the pixel above, and if
// both are invalid it is the last valid pixel.
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

// decodeRun decodes consecutive pixels of a row, whose samples are depth bytes apart. It returns
// the last sample.
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

// readCode reads the Huffman code of a band, and returns the position of the data.
func (d *Decoder) readCode(b *blob, in *reader) (bitWords, error) {
	bias := uint8(0)
	if b.Type == Int8 {
		bias = 128
	}
	err := d.codes.read(d, in, b.Version, b.ValidPixels*b.Depth, bias)
	return bitWords{src: in.rest()}, err
}

// skipWords advances in beyond the words that were read. It also skips one more word, which
// encoders append for decoders that read ahead.
func skipWords(in *reader, words *bitWords) {
	in.pos += min((words.bit+31)/32*4+4, len(in.rest()))
}
