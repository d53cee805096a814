package jp2k

import (
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/wavelet"
)

// piece is a window of one tile that is made as one: of one component, or of the three that
// are transformed together.
type piece struct {
	tile        *tile
	window      codestream.Rect
	parts       []part
	transformed bool
}

// part is the window of one component.
type part struct {
	component int
	coding    *codestream.TileComponent
	halvings  int // that the tile has not, and that samples are left out for
	stages    []stage
	targets   []target
}

// stage is a resolution on the way up to the window.
type stage struct {
	window codestream.Rect // of the resolution
	bands  []bandWindow    // LL alone in the first stage, else HL, LH and HH
}

// bandWindow is what is taken of a band.
type bandWindow struct {
	*codestream.Band
	window codestream.Rect
	grid   codestream.Rect // columns and rows of the code-blocks that touch the window
	found  []int           // which of the values of the request those blocks have, row by row; noBlock for zeros
}

// noBlock is in the place of a code-block of which nothing is coded.
const noBlock = -1

// newPart works out what a window of a component takes of its bands.
func newPart(t *tile, component, reduction int, window codestream.Rect) part {
	coding := &t.Components[component]
	levels := len(coding.Resolutions) - 1
	p := part{component: component, coding: coding, halvings: max(reduction-levels, 0)}
	window = p.unhalved(window)
	p.stages = make([]stage, max(levels-reduction, 0)+1)
	filter := wavelet.Filter97
	if coding.Reversible {
		filter = wavelet.Filter53
	}
	for i := len(p.stages) - 1; i > 0; i-- {
		resolution := &coding.Resolutions[i]
		needed := filter.Needed(wavelet.Rect(resolution.Rect), wavelet.Rect(window))
		p.stages[i] = stage{window: window, bands: make([]bandWindow, len(resolution.Bands))}
		for b := range resolution.Bands {
			band := &resolution.Bands[b]
			p.stages[i].bands[b] = newBandWindow(band, codestream.Rect(needed[band.Orientation]))
		}
		window = codestream.Rect(needed[wavelet.LL])
	}
	p.stages[0] = stage{window: window, bands: []bandWindow{newBandWindow(&coding.Resolutions[0].Bands[0], window)}}
	return p
}

// unhalved is the samples that those of a window are among, where the tile has fewer
// resolutions than others: the first of them and the last are the same.
func (p *part) unhalved(window codestream.Rect) codestream.Rect {
	if p.halvings == 0 || window.Empty() {
		return window
	}
	return codestream.Rect{
		X0: window.X0 << p.halvings, Y0: window.Y0 << p.halvings,
		X1: (window.X1-1)<<p.halvings + 1, Y1: (window.Y1-1)<<p.halvings + 1,
	}
}

func newBandWindow(band *codestream.Band, window codestream.Rect) bandWindow {
	w := bandWindow{Band: band, window: window.Intersect(band.Rect)}
	if w.window.Empty() {
		return w
	}
	column, row := band.Rect.X0>>band.BlockWidthLog2, band.Rect.Y0>>band.BlockHeightLog2
	w.grid = codestream.Rect{
		X0: w.window.X0>>band.BlockWidthLog2 - column, Y0: w.window.Y0>>band.BlockHeightLog2 - row,
		X1: (w.window.X1-1)>>band.BlockWidthLog2 + 1 - column, Y1: (w.window.Y1-1)>>band.BlockHeightLog2 + 1 - row,
	}
	return w
}

// numberBytes is the size of what the component is calculated with.
func (p *part) numberBytes() int64 {
	if p.isLong() {
		return 8
	}
	return 4
}

// isLong says that numbers of 32 bits are too short for a reversible component.
func (p *part) isLong() bool {
	if !p.coding.Reversible {
		return false
	}
	for _, r := range p.coding.Resolutions {
		for _, b := range r.Bands {
			if b.BitPlanes > mostBitPlanes {
				return true
			}
		}
	}
	return false
}

// mostBitPlanes fit into 32 bits beside the sign and a fraction bit.
const mostBitPlanes = 30

// scratchBytes is about what it takes to make the piece, beside its coefficients.
func (p *piece) scratchBytes() int64 {
	bytes := int64(0)
	for i := range p.parts {
		last := p.parts[i].stages[len(p.parts[i].stages)-1].window
		bytes += 2 * p.parts[i].numberBytes() * int64(last.Width()+8) * int64(last.Height()+8)
	}
	return bytes
}

// transforms tells whether the component is one of three of the tile that were made of others
// together.
func (t *tile) transforms(component int) bool {
	if !t.MultipleComponentTransform || component > 2 || len(t.Components) < 3 {
		return false
	}
	first := &t.Components[0]
	for i := 1; i < 3; i++ {
		other := &t.Components[i]
		if other.Rect != first.Rect || other.DX != first.DX || other.DY != first.DY || other.Reversible != first.Reversible {
			return false
		}
	}
	return true
}
