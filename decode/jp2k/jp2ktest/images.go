package jp2ktest

import (
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/wavelet"
)

// Pattern returns edges, slopes and noise of the given bits.
func Pattern(bits int) func(component, x, y int) int64 {
	maxValue := int64(1)<<bits - 1
	return func(component, x, y int) int64 {
		v := int64(3*x+2*y*(component+1)) + int64(x*y)%7
		if (x/19+y/23)%2 == 0 {
			v += maxValue / 3
		}
		return v & maxValue
	}
}

// Components returns n unsigned components of the given bits.
func Components(n, bits int) (all []codestream.Component) {
	for range n {
		all = append(all, codestream.Component{Bits: bits, DX: 1, DY: 1})
	}
	return all
}

// RGB returns an image of several tiles with transformed components.
func RGB() Image {
	return Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X0: 7, Y0: 9, X1: 240, Y1: 171}, FirstTile: wavelet.Rect{X0: 2, Y0: 1, X1: 92, Y1: 78},
			Components: Components(3, 8), Steps: codestreamtest.ReversibleSteps(9, 2),
			Coding: codestreamtest.Coding{
				Levels: 2, Layers: 3, BlockWidthLog2: 4, BlockHeightLog2: 4, MultipleComponentTransform: true, Order: codestream.RPCL,
				Precincts: []codestreamtest.Precinct{{WidthLog2: 5, HeightLog2: 5}, {WidthLog2: 6, HeightLog2: 5}, {WidthLog2: 6, HeightLog2: 6}},
			},
		},
		Sample: Pattern(8),
	}
}

// Wide has one tile and several bands. It is large enough that a window is a small part of it.
func Wide() Image {
	return Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X1: 1000, Y1: 700}, Components: Components(2, 8),
			Coding: codestreamtest.Coding{Levels: 3, BlockWidthLog2: 5, BlockHeightLog2: 5},
		},
		Sample: Pattern(8),
	}
}

// Noise hardly compresses.
func Noise(_, x, y int) int64 { return int64(x*x+y*y*31+x*y*7) * 2654435761 >> 7 & 255 }

// TinyTiles has a tile for each two pixels.
func TinyTiles() Image {
	return Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X1: 600, Y1: 1}, FirstTile: wavelet.Rect{X1: 2, Y1: 1},
			Components: Components(5, 8), Steps: codestreamtest.ReversibleSteps(8, 1), Coding: codestreamtest.Coding{Levels: 1},
		},
		Sample: Pattern(8),
	}
}
