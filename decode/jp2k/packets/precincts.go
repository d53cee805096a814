package packets

import (
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/wavelet"
)

// PrecinctPosition is the position of a precinct in a tile. Column and row count from the first
// precinct that touches the resolution.
type PrecinctPosition struct{ Component, Resolution, Column, Row int }

// PrecinctsOf returns the columns and rows of precincts that contain a band's code-blocks, given as
// columns and rows.
func PrecinctsOf(t *codestream.Tile, component, resolution, band int, blocks wavelet.Rect) wavelet.Rect {
	r := &t.Components[component].Resolutions[resolution]
	b := &r.Bands[band]
	blocks = blocks.Intersect(wavelet.Rect{X1: b.BlockColumns(), Y1: b.BlockRows()})
	if blocks.Empty() {
		return wavelet.Rect{}
	}
	width, height := PrecinctSize(r, resolution)
	column := func(block int) int {
		return (b.Rect.X0>>b.BlockWidthLog2+block)>>(width-b.BlockWidthLog2) - r.Rect.X0>>r.PrecinctWidthLog2
	}
	row := func(block int) int {
		return (b.Rect.Y0>>b.BlockHeightLog2+block)>>(height-b.BlockHeightLog2) - r.Rect.Y0>>r.PrecinctHeightLog2
	}
	return wavelet.Rect{X0: column(blocks.X0), Y0: row(blocks.Y0), X1: column(blocks.X1-1) + 1, Y1: row(blocks.Y1-1) + 1}
}

// PrecinctSize returns the base-2 logarithms of the size of precincts in samples of a band. Except
// for LL, that is half of the size in the resolution.
func PrecinctSize(r *codestream.Resolution, resolution int) (width, height int) {
	if resolution == 0 {
		return r.PrecinctWidthLog2, r.PrecinctHeightLog2
	}
	return r.PrecinctWidthLog2 - 1, r.PrecinctHeightLog2 - 1
}

// precinctBlocks returns the columns and rows of a band's code-blocks in a precinct.
func precinctBlocks(r *codestream.Resolution, resolution, band, column, row int) wavelet.Rect {
	b := &r.Bands[band]
	width, height := PrecinctSize(r, resolution)
	x := (r.Rect.X0>>r.PrecinctWidthLog2 + column) << width
	y := (r.Rect.Y0>>r.PrecinctHeightLog2 + row) << height
	samples := wavelet.Rect{X0: x, Y0: y, X1: x + 1<<width, Y1: y + 1<<height}.Intersect(b.Rect)
	if samples.Empty() {
		return wavelet.Rect{}
	}
	left, top := b.Rect.X0>>b.BlockWidthLog2, b.Rect.Y0>>b.BlockHeightLog2
	return wavelet.Rect{
		X0: samples.X0>>b.BlockWidthLog2 - left,
		Y0: samples.Y0>>b.BlockHeightLog2 - top,
		X1: (samples.X1-1)>>b.BlockWidthLog2 - left + 1,
		Y1: (samples.Y1-1)>>b.BlockHeightLog2 - top + 1,
	}
}
