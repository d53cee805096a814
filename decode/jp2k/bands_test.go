package jp2k

import (
	"slices"
	"testing"

	"tileserver/decode/jp2k/boxes/boxestest"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// small returns an image with different components.
func small(depths ...codestream.Component) jp2ktest.Image {
	m := jp2ktest.Image{Header: codestreamtest.Header{
		Image: wavelet.Rect{X0: 1, X1: 34, Y1: 21}, Components: depths, Coding: codestreamtest.Coding{Levels: 1},
		Steps: codestreamtest.ReversibleSteps(17, 1),
	}}
	m.Sample = func(component, x, y int) int64 {
		c := depths[component]
		v := int64(x*5+y*3+component*11) & (1<<c.Bits - 1)
		if c.Signed {
			v -= 1 << (c.Bits - 1)
		}
		return v
	}
	return m
}

func depth(bits int) codestream.Component { return codestream.Component{Bits: bits, DX: 1, DY: 1} }
func signed(bits int) codestream.Component {
	return codestream.Component{Bits: bits, Signed: true, DX: 1, DY: 1}
}

// inBoxes puts a codestream into boxes.
func inBoxes(codestream []byte, header ...[]byte) []byte {
	return boxestest.File(boxestest.Header(header...), boxestest.Box("jp2c", codestream))
}

const (
	sRGB = 16
	gray = 17
	sYCC = 18
)

// TestBands checks the bands that boxes and components define.
func TestBands(t *testing.T) {
	header := boxestest.ImageHeader(33, 21, 1, 8)
	rgb := boxestest.EnumeratedColor(sRGB)
	colors := func(all ...raster.Color) []raster.Color { return all }
	for name, test := range map[string]struct {
		image  jp2ktest.Image
		header [][]byte // of the container; nil means none
		types  raster.DataType
		bits   int
		colors []raster.Color
		space  raster.ColorSpace
		value  func(m jp2ktest.Image, band, x, y int) int64 // nil means the sample
	}{
		"gray":         {image: small(depth(8)), types: raster.Uint8, colors: colors(raster.Gray)},
		"colors":       {image: small(depth(8), depth(8), depth(8)), types: raster.Uint8, colors: colors(raster.Red, raster.Green, raster.Blue)},
		"five bands":   {image: small(depth(9), depth(9), depth(9), depth(9), depth(9)), types: raster.Uint16, bits: 9, colors: make([]raster.Color, 5)},
		"signed":       {image: small(signed(12)), types: raster.Int16, bits: 12, colors: colors(raster.Gray)},
		"mixed signs":  {image: small(depth(8), signed(8)), types: raster.Int16, bits: 8, colors: colors(raster.Gray, raster.Undefined)},
		"mixed depths": {image: small(depth(3), depth(10), depth(8)), types: raster.Uint16, bits: 10, colors: colors(raster.Red, raster.Green, raster.Blue)},
		"chroma by its name": {
			image: small(depth(8), depth(8), depth(8)), header: [][]byte{header, boxestest.EnumeratedColor(sYCC)},
			types: raster.Uint8, colors: make([]raster.Color, 3), space: raster.YCbCr,
		},
		"opacity of one bit beside eight": {
			image:  small(depth(8), depth(1)),
			header: [][]byte{header, boxestest.EnumeratedColor(gray), boxestest.ChannelDefinitions([3]int{0, 0, 1}, [3]int{1, 1, 0})},
			types:  raster.Uint8, colors: colors(raster.Gray, raster.Alpha),
			value: func(m jp2ktest.Image, band, x, y int) int64 {
				if band == 1 {
					return 255 * m.Sample(1, x, y)
				}
				return m.Sample(0, x, y)
			},
		},
		"blue, green, red": {
			image:  small(depth(8), depth(8), depth(8)),
			header: [][]byte{header, rgb, boxestest.ChannelDefinitions([3]int{0, 0, 3}, [3]int{1, 0, 2}, [3]int{2, 0, 1})},
			types:  raster.Uint8, colors: colors(raster.Red, raster.Green, raster.Blue),
			value: func(m jp2ktest.Image, band, x, y int) int64 { return m.Sample(2-band, x, y) },
		},
		"a palette of eight bits": {
			image: small(depth(2)),
			header: [][]byte{header, rgb, boxestest.Palette([]byte{1, 2, 3}, []byte{4, 5, 6}, []byte{7, 8, 9}, []byte{10, 11, 12}),
				boxestest.Mapping([3]int{0, 1, 0}, [3]int{0, 1, 1}, [3]int{0, 1, 2})},
			types: raster.Uint8, bits: 2, colors: colors(raster.PaletteIndex),
		},
		"a palette beside a component": {
			image: small(depth(2), depth(8)),
			header: [][]byte{header, rgb, boxestest.Palette([]byte{10, 20}, []byte{30, 40}, []byte{50, 60}),
				boxestest.Mapping([3]int{0, 1, 1}, [3]int{0, 1, 0}, [3]int{1, 0, 0})},
			types: raster.Uint8, colors: colors(raster.Red, raster.Green, raster.Blue),
			value: func(m jp2ktest.Image, band, x, y int) int64 {
				index := min(m.Sample(0, x, y), 2) // of three
				return [...]int64{20*index + 20, 20*index + 10, m.Sample(1, x, y)}[band]
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := test.image.Codestream()
			if test.header != nil {
				data = inBoxes(data, test.header...)
			}
			o := open(t, data, nil)
			info := o.Info()
			if info.Type != test.types || info.Bits != test.bits || info.Colors.Space != test.space {
				t.Errorf("%v with %d bits, %v; want %v with %d, %v", info.Type, info.Bits, info.Colors.Space, test.types, test.bits, test.space)
			}
			var got []raster.Color
			for _, b := range info.Bands {
				got = append(got, b.Color)
			}
			if !slices.Equal(got, test.colors) {
				t.Fatalf("bands are %v, want %v (notes %q)", got, test.colors, o.file.Notes())
			}
			value := test.value
			if value == nil {
				value = func(m jp2ktest.Image, band, x, y int) int64 { return m.Sample(band, x, y) }
			}
			tile := blocks(t, o, 0, []raster.BlockID{{}}, nil)[0]
			for band := range info.Bands {
				for y := range tile.Height() {
					for x := range tile.Width() {
						if got, _ := tile.At(band, x, y); got != float64(value(test.image, band, 1+x, y)) {
							t.Fatalf("band %d, pixel %d,%d is %v, want %v", band, x, y, got, value(test.image, band, 1+x, y))
						}
					}
				}
			}
		})
	}
}
