package jp2k

import (
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
)

// hole is a part of what is wanted of which nothing is stored, or nothing is left.
type hole struct {
	targets []target
	rect    codestream.Rect
}

// lose finds the holes of a piece of a damaged tile. Where a code-block of the coarsest resolution
// is not there, all that could be made of the finer ones is detail of nothing: it would be gray that
// nobody has stored.
func (r *request) lose(p *piece, blocks packets.Blocks) {
	if blocks.Damage() == nil {
		return
	}
	for i := range p.parts {
		coarsest := &p.parts[i].stages[0].bands[0]
		for n, value := range coarsest.found {
			if value == noBlock {
				column, row := coarsest.grid.X0+n%coarsest.grid.Width(), coarsest.grid.Y0+n/coarsest.grid.Width()
				r.loseUnder(p, i, coarsest.Block(column, row))
			}
		}
	}
}

// loseUnder makes a hole of what is made of a code-block. What is mixed of several components is
// lost with any of them.
func (r *request) loseUnder(p *piece, component int, block codestream.Rect) {
	lost := &p.parts[component]
	doublings := len(lost.stages) - 1
	rect := reduced(codestream.Rect{
		X0: block.X0 << doublings, Y0: block.Y0 << doublings, X1: block.X1 << doublings, Y1: block.Y1 << doublings,
	}, lost.halvings).Intersect(p.window)
	for i := range p.parts {
		if p.transformed || i == component {
			r.holes = append(r.holes, hole{p.parts[i].targets, rect})
		}
	}
}

// reduced is a rectangle after so many halvings.
func reduced(r codestream.Rect, halvings int) codestream.Rect {
	up := 1<<halvings - 1
	return codestream.Rect{X0: (r.X0 + up) >> halvings, Y0: (r.Y0 + up) >> halvings, X1: (r.X1 + up) >> halvings, Y1: (r.Y1 + up) >> halvings}
}
