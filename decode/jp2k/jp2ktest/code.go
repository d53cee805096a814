package jp2ktest

import (
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets/packetstest"
	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/jp2k/wavelet/wavelettest"
)

// bands are the bands of a resolution, by orientation.
type bands = [4]wavelet.Plane[int64]

// transform returns the bands of all resolutions of a tile's components.
func (m Image) transform(t *codestream.Tile) [][]bands {
	planes := make([]wavelet.Plane[int64], len(t.Components))
	for c := range planes {
		planes[c] = m.plane(t, c)
	}
	if t.MultipleComponentTransform {
		toLuminance(planes[0].Samples, planes[1].Samples, planes[2].Samples)
	}
	all := make([][]bands, len(planes))
	for c, plane := range planes {
		resolutions := make([]bands, len(t.Components[c].Resolutions))
		for r := len(resolutions) - 1; r > 0; r-- {
			resolutions[r] = wavelettest.Forward53(plane)
			plane = resolutions[r][wavelet.LL]
		}
		resolutions[0][wavelet.LL] = plane
		all[c] = resolutions
	}
	return all
}

// plane returns the samples of a component in a tile, around zero.
func (m Image) plane(t *codestream.Tile, component int) wavelet.Plane[int64] {
	r, half := t.Components[component].Rect, int64(1)<<(m.Components[component].Bits-1)
	if m.Components[component].Signed {
		half = 0
	}
	plane := wavelet.NewPlane[int64](r)
	for y := r.Y0; y < r.Y1; y++ {
		for x := r.X0; x < r.X1; x++ {
			plane.Samples[(y-r.Y0)*r.Width()+x-r.X0] = m.Sample(component, x, y) - half
		}
	}
	return plane
}

// toLuminance replaces red, green and blue by a luminance and two differences.
func toLuminance(red, green, blue []int64) {
	for i := range red {
		r, g, b := red[i], green[i], blue[i]
		red[i], green[i], blue[i] = (r+2*g+b)>>2, b-g, r-g
	}
}

// code adds the code-blocks of a component.
func code(blocks map[packetstest.Key]*packetstest.Block, t *codestream.Tile, component int, resolutions []bands) {
	coding := &t.Components[component]
	for r := range resolutions {
		for b := range coding.Resolutions[r].Bands {
			band := &coding.Resolutions[r].Bands[b]
			plane := &resolutions[r][band.Orientation]
			for row := range band.BlockRows() {
				for column := range band.BlockColumns() {
					if block := codeBlock(plane, band, band.Block(column, row), coding.Style, t.Layers); block != nil {
						blocks[packetstest.Key{Component: component, Resolution: r, Band: b, Column: column, Row: row}] = block
					}
				}
			}
		}
	}
}

// codeBlock encodes a rectangle of a band. It returns nil if all coefficients are zero.
func codeBlock(plane *wavelet.Plane[int64], band *codestream.Band, rect wavelet.Rect, style codestream.Style, layers int) *packetstest.Block {
	var coefficients []int64
	for y := rect.Y0; y < rect.Y1; y++ {
		at := (y-plane.Rect.Y0)*plane.Stride + rect.X0 - plane.Rect.X0
		coefficients = append(coefficients, plane.Samples[at:at+rect.Width()]...)
	}
	coded := tier1test.Encode(coefficients, rect.Width(), rect.Height(), band.Orientation, tier1.Style(style))
	if coded.Passes == 0 {
		return nil
	}
	return &packetstest.Block{Missing: band.BitPlanes - coded.BitPlanes, Pieces: pieces(coded, layers)}
}

// pieces distributes codewords over the layers in equal parts. A single codeword is split.
func pieces(coded tier1.Block, layers int) (all []packetstest.Piece) {
	if len(coded.Segments) > 1 {
		data := coded.Data
		for i, s := range coded.Segments {
			all = append(all, packetstest.Piece{Layer: i * layers / len(coded.Segments), Passes: s.Passes, Bytes: data[:s.Length], Ends: true})
			data = data[s.Length:]
		}
		return all
	}
	passes, bytes := 0, 0
	for layer := range layers {
		piece := packetstest.Piece{Layer: layer, Passes: coded.Passes*(layer+1)/layers - passes}
		end := len(coded.Data) * (layer + 1) / layers
		piece.Bytes = coded.Data[bytes:end]
		if piece.Passes > 0 {
			all = append(all, piece)
			passes, bytes = passes+piece.Passes, end
		}
	}
	return all
}
