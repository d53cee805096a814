package components

import (
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/wavelet"
)

// tileWindow is a window of one tile that is assembled as one: of one component, or of the three
// that are transformed together.
type tileWindow struct {
	tile        *tile
	reduction   int
	window      wavelet.Rect
	components  []componentWindow
	transformed bool
}

// componentWindow is the window of one component.
type componentWindow struct {
	component   int
	coding      *codestream.TileComponent
	halvings    int // halvings beyond the tile's levels, done by skipping samples
	resolutions []resolutionWindow
	targets     []Target
}

// resolutionWindow is the window of one resolution, from the coarsest up to the requested one.
type resolutionWindow struct {
	window wavelet.Rect // of the resolution
	bands  []bandWindow // LL in the coarsest resolution, else HL, LH and HH
}

// bandWindow is the window of a band.
type bandWindow struct {
	*codestream.Band
	window wavelet.Rect
	own    wavelet.Rect // coefficients that only this request needs
	grid   wavelet.Rect // columns and rows of the code-blocks that touch the window
	blocks []member     // of groups: each code-block, row by row
}

// member is the place of a code-block in the groups of a request: the index of the group, and the position in it.
type member struct {
	group, position int32
	isOwn           bool // whether the group is one of the request's own
}

// noBlock stands for a code-block without coded coefficients.
var noBlock = member{group: -1}

// newComponentWindow computes what a window of a component needs of its bands.
func newComponentWindow(t *tile, component, reduction int, window wavelet.Rect) componentWindow {
	coding := &t.Components[component]
	levels := len(coding.Resolutions) - 1
	p := componentWindow{component: component, coding: coding, halvings: max(reduction-levels, 0)}
	window = p.unhalved(window)
	p.resolutions = make([]resolutionWindow, max(levels-reduction, 0)+1)
	for i := len(p.resolutions) - 1; i > 0; i-- {
		resolution := &coding.Resolutions[i]
		needed := p.filter().Needed(resolution.Rect, window)
		p.resolutions[i] = resolutionWindow{window: window, bands: make([]bandWindow, len(resolution.Bands))}
		for b := range resolution.Bands {
			band := &resolution.Bands[b]
			p.resolutions[i].bands[b] = newBandWindow(band, needed[band.Orientation])
		}
		window = needed[wavelet.LL]
	}
	p.resolutions[0] = resolutionWindow{window: window, bands: []bandWindow{newBandWindow(&coding.Resolutions[0].Bands[0], window)}}
	return p
}

// filter returns the wavelet of the component.
func (w *componentWindow) filter() wavelet.Filter {
	if w.coding.Reversible {
		return wavelet.Filter53
	}
	return wavelet.Filter97
}

// unhalved returns the window at the finest level of a tile that has fewer levels than others. Its
// first and last samples are those of the window.
func (w *componentWindow) unhalved(window wavelet.Rect) wavelet.Rect {
	if w.halvings == 0 || window.Empty() {
		return window
	}
	return wavelet.Rect{
		X0: window.X0 << w.halvings, Y0: window.Y0 << w.halvings,
		X1: (window.X1-1)<<w.halvings + 1, Y1: (window.Y1-1)<<w.halvings + 1,
	}
}

func newBandWindow(band *codestream.Band, window wavelet.Rect) bandWindow {
	w := bandWindow{Band: band, window: window.Intersect(band.Rect)}
	if w.window.Empty() {
		return w
	}
	column, row := band.Rect.X0>>band.BlockWidthLog2, band.Rect.Y0>>band.BlockHeightLog2
	w.grid = wavelet.Rect{
		X0: w.window.X0>>band.BlockWidthLog2 - column, Y0: w.window.Y0>>band.BlockHeightLog2 - row,
		X1: (w.window.X1-1)>>band.BlockWidthLog2 + 1 - column, Y1: (w.window.Y1-1)>>band.BlockHeightLog2 + 1 - row,
	}
	return w
}

// numberBytes returns the size of the numbers that the component is computed in.
func (w *componentWindow) numberBytes() int64 {
	if w.isLong() {
		return 8
	}
	return 4
}

// isLong reports whether a reversible component needs 64-bit numbers.
func (w *componentWindow) isLong() bool {
	if !w.coding.Reversible {
		return false
	}
	for _, r := range w.coding.Resolutions {
		for _, b := range r.Bands {
			if b.BitPlanes > maxBitPlanes {
				return true
			}
		}
	}
	return false
}

// maxBitPlanes is the number of bit-planes that fit into 32 bits beside the sign and a fraction
// bit.
const maxBitPlanes = 30

// scratchBytes estimates the memory for assembling the window, without its coefficients.
func (w *tileWindow) scratchBytes() int64 {
	bytes := int64(0)
	for i := range w.components {
		last := w.components[i].resolutions[len(w.components[i].resolutions)-1].window
		bytes += 2 * w.components[i].numberBytes() * int64(last.Width()+8) * int64(last.Height()+8)
	}
	return bytes
}

// transforms reports whether the component is one of the tile's three transformed components.
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
