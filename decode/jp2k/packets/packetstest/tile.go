package packetstest

import (
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/wavelet"
)

// Shape is the geometry of a tile.
type Shape struct {
	Rect         wavelet.Rect // on the reference grid
	Components   []Component
	Layers       int
	Progressions []codestream.Progression
}

// Component is the geometry of one component.
type Component struct {
	DX, DY                          int
	Levels                          int // of the wavelet
	BlockWidthLog2, BlockHeightLog2 int
	Style                           codestream.Style

	// Precincts holds the base-2 logarithms of their width and height in each resolution, from the
	// coarsest. The last one applies to all further resolutions.
	Precincts [][2]int
}

// Tile returns the geometry of a tile.
func (s *Shape) Tile() *codestream.Tile {
	t := &codestream.Tile{Rect: s.Rect, Layers: s.Layers, Progressions: s.Progressions}
	for _, c := range s.Components {
		t.Components = append(t.Components, c.component(s.Rect))
	}
	return t
}

func (c *Component) component(tile wavelet.Rect) codestream.TileComponent {
	t := codestream.TileComponent{DX: c.DX, DY: c.DY, Style: c.Style, Reversible: true}
	t.Rect = wavelet.Rect{X0: up(tile.X0, c.DX), Y0: up(tile.Y0, c.DY), X1: up(tile.X1, c.DX), Y1: up(tile.Y1, c.DY)}
	for r := range c.Levels + 1 {
		t.Resolutions = append(t.Resolutions, c.resolution(t.Rect, r))
	}
	return t
}

func (c *Component) resolution(whole wavelet.Rect, r int) codestream.Resolution {
	precinct := c.Precincts[min(r, len(c.Precincts)-1)]
	scale := 1 << (c.Levels - r)
	rect := wavelet.Rect{X0: up(whole.X0, scale), Y0: up(whole.Y0, scale), X1: up(whole.X1, scale), Y1: up(whole.Y1, scale)}
	res := codestream.Resolution{Rect: rect, PrecinctWidthLog2: precinct[0], PrecinctHeightLog2: precinct[1]}
	if !rect.Empty() {
		res.PrecinctColumns = up(rect.X1, 1<<precinct[0]) - rect.X0>>precinct[0]
		res.PrecinctRows = up(rect.Y1, 1<<precinct[1]) - rect.Y0>>precinct[1]
	}
	if r == 0 {
		res.Bands = []codestream.Band{c.band(rect, wavelet.LL, precinct[0], precinct[1])}
		return res
	}
	half := scale // samples of the band above are twice as far apart as those of the resolution
	for _, o := range []wavelet.Orientation{wavelet.HL, wavelet.LH, wavelet.HH} {
		dx, dy := 0, 0
		if o != wavelet.LH {
			dx = half
		}
		if o != wavelet.HL {
			dy = half
		}
		b := wavelet.Rect{
			X0: up(whole.X0-dx, 2*half), Y0: up(whole.Y0-dy, 2*half),
			X1: up(whole.X1-dx, 2*half), Y1: up(whole.Y1-dy, 2*half),
		}
		res.Bands = append(res.Bands, c.band(b, o, precinct[0]-1, precinct[1]-1))
	}
	return res
}

func (c *Component) band(rect wavelet.Rect, o wavelet.Orientation, width, height int) codestream.Band {
	return codestream.Band{
		Orientation: o, Rect: rect, BitPlanes: 30, Step: 1,
		BlockWidthLog2: min(c.BlockWidthLog2, width), BlockHeightLog2: min(c.BlockHeightLog2, height),
	}
}

// up divides and rounds up.
func up(a, b int) int {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}
