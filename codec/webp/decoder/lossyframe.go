package decoder

import (
	"fmt"

	"tileserver/codec/webp/vp8"
)

// frame is a decoded VP8 key frame.
type frame struct {
	header        frameHeader
	columns, rows int // in macroblocks
	y, u, v       plane
	strengths     []strength
}

// lossyDecoder decodes frames and reuses its memory.
type lossyDecoder struct {
	current frame
	modes   modeContext
	above   []edge
	block   coefficients

	partitions [maxPartitions]boolReader
}

// frame decodes a key frame whose header ReadHeader has checked.
func (d *lossyDecoder) frame(data []byte, width, height int) (*frame, error) {
	const headerBytes = 10
	firstBytes := int(data[0])>>5 | int(data[1])<<3 | int(data[2])<<11
	data = data[headerBytes:]
	if firstBytes > len(data) {
		return nil, fmt.Errorf("a first partition of %d bytes with %d remaining: %w", firstBytes, len(data), ErrCorrupt)
	}
	f := &d.current
	first := newBoolReader(data[:firstBytes])
	count := 1 << f.header.parse(&first)
	if err := readPartitions(&d.partitions, data[firstBytes:], count); err != nil {
		return nil, err
	}
	d.reset(width, height)
	for row := range f.rows {
		if err := d.decodeRow(row, &first, &d.partitions[row&(count-1)]); err != nil {
			return nil, fmt.Errorf("row %d of %d macroblocks: %w", row, f.rows, err)
		}
	}
	f.smooth()
	return f, nil
}

// reset prepares the memory for a frame.
func (d *lossyDecoder) reset(width, height int) {
	f := &d.current
	f.columns, f.rows = (width+15)/16, (height+15)/16
	f.y.reset(16*f.columns, 16*f.rows)
	f.u.reset(8*f.columns, 8*f.rows)
	f.v.reset(8*f.columns, 8*f.rows)
	f.strengths = cleared(f.strengths, f.columns*f.rows)
	d.modes.above = cleared(d.modes.above, 4*f.columns)
	d.above = cleared(d.above, f.columns)
}

// cleared returns a slice of n zeros, reusing s if possible.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (d *lossyDecoder) decodeRow(row int, first, reader *boolReader) error {
	f := &d.current
	d.modes.left = [4]vp8.Mode{}
	var left edge
	for column := range f.columns {
		m := f.header.parseMacroblock(first, &d.modes, column)
		if m.empty {
			d.block = coefficients{}
			d.above[column].clear(m.hasSubblocks)
			left.clear(m.hasSubblocks)
		} else {
			d.block.read(reader, &f.header, &m, &d.above[column], &left)
		}
		if first.ended || reader.ended {
			return fmt.Errorf("data end in macroblock %d of %d: %w", column, f.columns, ErrCorrupt)
		}
		f.reconstruct(column, row, &m, &d.block)
		f.strengths[row*f.columns+column] = f.header.strengthOf(&m, d.block.luma || d.block.chroma)
	}
	return nil
}

// reconstruct predicts the samples of a macroblock and adds the residual.
func (f *frame) reconstruct(column, row int, m *macroblock, c *coefficients) {
	if m.hasSubblocks {
		f.reconstructSubblocks(column, row, m, c)
	} else {
		f.y.predictWhole(16*column, 16*row, 16, m.luma)
		if c.luma {
			at := f.y.at(16*column, 16*row)
			for i := range 16 {
				addBlock(f.y.samples[at+i>>2*4*f.y.stride+i&3*4:], f.y.stride, &c.blocks[i], c.ends[i])
			}
		}
	}
	for i, p := range [...]*plane{&f.u, &f.v} {
		p.predictWhole(8*column, 8*row, 8, m.chroma)
		if !c.chroma {
			continue
		}
		at := p.at(8*column, 8*row)
		for j := range 4 {
			b := 16 + 4*i + j
			addBlock(p.samples[at+j>>1*4*p.stride+j&1*4:], p.stride, &c.blocks[b], c.ends[b])
		}
	}
}

// reconstructSubblocks predicts each subblock from its decoded neighbors. The samples above and to
// the right of the rightmost subblocks are only decoded for the first row. All four rows therefore
// use those above the macroblock.
func (f *frame) reconstructSubblocks(column, row int, m *macroblock, c *coefficients) {
	p := &f.y
	at := p.at(16*column, 16*row)
	corner := [4]uint8(p.samples[at-p.stride+16:])
	if row > 0 && column == f.columns-1 {
		last := p.samples[at-p.stride+15]
		corner = [4]uint8{last, last, last, last}
	}
	for i := range 16 {
		index := at + i>>2*4*p.stride + i&3*4
		above := corner
		if i&3 != 3 {
			above = [4]uint8(p.samples[index-p.stride+4:])
		}
		p.predictSubblock(index, m.modes[i], above)
		addBlock(p.samples[index:], p.stride, &c.blocks[i], c.ends[i])
	}
}
