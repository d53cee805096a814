package codestream

import "fmt"

// tileCoding is the coding of all components of a tile: the first half of a COD marker.
type tileCoding struct {
	order                      Order
	layers                     int
	sop, eph                   bool
	multipleComponentTransform bool
}

// componentCoding is the coding of a component: the second half of a COD marker, or a COC marker.
type componentCoding struct {
	levels                          int
	blockWidthLog2, blockHeightLog2 int
	style                           Style
	reversible                      bool
	precincts                       []byte // by resolution, height in the upper bits; nil means maximum
}

const (
	maxLevels       = 32
	maxPrecinctLog2 = 15
)

// The bits of Scod.
const (
	ownPrecincts = 1 << iota
	sopMarkers
	ephMarkers
)

// parseCOD parses the body of a COD marker.
func parseCOD(body []byte) (*tileCoding, *componentCoding, error) {
	f := fields{rest: body}
	flags, order, layers, transform := f.byte(), f.byte(), f.two(), f.byte()
	switch {
	case f.short:
		return nil, nil, fmt.Errorf("%w: COD of %d bytes", ErrCorrupt, len(body))
	case flags&^(ownPrecincts|sopMarkers|ephMarkers) != 0:
		return nil, nil, fmt.Errorf("%w: coding style %#02x of Part 2 (COD)", ErrUnsupported, flags)
	case order > int(CPRL):
		return nil, nil, fmt.Errorf("%w: progression order %d", ErrCorrupt, order)
	case layers == 0:
		return nil, nil, fmt.Errorf("%w: no layers", ErrCorrupt)
	case transform > 1:
		return nil, nil, fmt.Errorf("%w: multiple component transformation %d of Part 2 (COD)", ErrUnsupported, transform)
	}
	c, err := parseComponentCoding(&f, flags&ownPrecincts != 0)
	if err != nil {
		return nil, nil, fmt.Errorf("COD: %w", err)
	}
	return &tileCoding{
		order:                      Order(order),
		layers:                     layers,
		sop:                        flags&sopMarkers != 0,
		eph:                        flags&ephMarkers != 0,
		multipleComponentTransform: transform == 1,
	}, c, nil
}

// parseCOC parses the body of a COC marker after the number of the component.
func parseCOC(f *fields) (*componentCoding, error) {
	flags := f.byte()
	if flags&^ownPrecincts != 0 {
		return nil, fmt.Errorf("%w: coding style %#02x of Part 2 (COC)", ErrUnsupported, flags)
	}
	c, err := parseComponentCoding(f, flags&ownPrecincts != 0)
	if err != nil {
		return nil, fmt.Errorf("COC: %w", err)
	}
	return c, nil
}

// parseComponentCoding parses the fields that COD and COC share.
func parseComponentCoding(f *fields, precincts bool) (*componentCoding, error) {
	levels, width, height, style, wavelet := f.byte(), f.byte(), f.byte(), f.byte(), f.byte()
	switch {
	case f.short:
		return nil, fmt.Errorf("%w: too short", ErrCorrupt)
	case levels >= 128:
		return nil, fmt.Errorf("%w: arbitrary decomposition (DFS) of Part 2", ErrUnsupported)
	case levels > maxLevels:
		return nil, fmt.Errorf("%w: %d levels", ErrCorrupt, levels)
	case width > 8 || height > 8 || width+height > 8:
		return nil, fmt.Errorf("%w: code-blocks of 2^%d x 2^%d", ErrCorrupt, width+2, height+2)
	case Style(style)&(HT|HTMixed) == HTMixed:
		return nil, fmt.Errorf("%w: style %#02x of code-blocks", ErrCorrupt, style)
	case wavelet > 1:
		return nil, fmt.Errorf("%w: wavelet %d, which is of Part 2 (ATK)", ErrUnsupported, wavelet)
	}
	c := &componentCoding{
		levels:          levels,
		blockWidthLog2:  width + 2,
		blockHeightLog2: height + 2,
		style:           Style(style),
		reversible:      wavelet == 1,
	}
	if !precincts {
		return c, nil
	}
	c.precincts = append([]byte{}, f.take(levels+1)...)
	if f.short {
		return nil, fmt.Errorf("%w: sizes of precincts are missing", ErrCorrupt)
	}
	for i, size := range c.precincts {
		if i > 0 && (size&15 == 0 || size>>4 == 0) {
			return nil, fmt.Errorf("%w: precincts of one sample in resolution %d", ErrCorrupt, i)
		}
	}
	return c, nil
}

// precinct returns the size of precincts in a resolution.
func (c *componentCoding) precinct(resolution int) (widthLog2, heightLog2 int) {
	if c.precincts == nil {
		return maxPrecinctLog2, maxPrecinctLog2
	}
	return int(c.precincts[resolution] & 15), int(c.precincts[resolution] >> 4)
}

// bands returns the number of bands of a component.
func (c *componentCoding) bands() int { return 3*c.levels + 1 }
