package components

import (
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/wavelet"
)

// hole is a rectangle of samples that are not stored or were lost.
type hole struct {
	targets []Target
	rect    wavelet.Rect
}

// addHoles adds the holes of a tile window in a damaged tile. If a code-block of the coarsest
// resolution is missing, the finer ones are only details of an unknown value. They would show a
// gray that nobody stored.
func (r *Request) addHoles(p *tileWindow, blocks packets.Blocks) {
	if blocks.Damage() == nil {
		return
	}
	for i := range p.components {
		coarsest := &p.components[i].resolutions[0].bands[0]
		for n, member := range coarsest.blocks {
			if member == noBlock {
				column, row := coarsest.grid.X0+n%coarsest.grid.Width(), coarsest.grid.Y0+n/coarsest.grid.Width()
				r.addHole(p, i, coarsest.Block(column, row))
			}
		}
	}
}

// addHole adds a hole for the samples of a code-block. Samples that are mixed from several
// components are lost with any of them.
func (r *Request) addHole(p *tileWindow, component int, block wavelet.Rect) {
	lost := &p.components[component]
	doublings := len(lost.resolutions) - 1
	rect := codestream.Halved(wavelet.Rect{
		X0: block.X0 << doublings, Y0: block.Y0 << doublings, X1: block.X1 << doublings, Y1: block.Y1 << doublings,
	}, lost.halvings).Intersect(p.window)
	for i := range p.components {
		if p.transformed || i == component {
			r.holes = append(r.holes, hole{p.components[i].targets, rect})
		}
	}
}
