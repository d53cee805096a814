package integration

import (
	"fmt"
	"math"
	"strings"

	"tileserver/decode/tiff/tifftest"
)

func fileOf(img tifftest.Image) tifftest.File { return tifftest.File{Images: []tifftest.Image{img}} }

// beside holds the side files of a golden's file, as GDAL writes them.
var beside = map[string]string{"palette-alpha": fadingColors()}

func sceneRGB() tifftest.Image {
	return tifftest.Image{Width: 131, Height: 97, Samples: 3, Value: scene}
}

// multispectral returns five bands whose names tell which of them are red, green and blue. They are
// in another order, and have nodata in a corner.
func multispectral() tifftest.Image {
	const gdalMetadata = 42112
	notes := "<GDALMetadata>"
	for band, name := range []string{"coastal", "blue", "green", "red", "nir"} {
		notes += fmt.Sprintf(`<Item name="DESCRIPTION" sample="%d" role="description">%s</Item>`, band, name)
	}
	return tifftest.Image{
		Width: 131, Height: 97, Bits: 16, Samples: 5, Photometric: tifftest.BlackIsZero, ExtraSamples: []int{0, 0, 0, 0}, NoData: "0",
		Planar: true, Tiled: true, BlockWidth: 48, BlockHeight: 32, Compression: tifftest.Deflate, Predictor: 2,
		Tags: []tifftest.Tag{{ID: gdalMetadata, Value: notes + "</GDALMetadata>"}},
		Value: func(x, y, band int) float64 {
			if x+y < 25 {
				return 0
			}
			red, green, blue := scene(x, y, 0), scene(x, y, 1), scene(x, y, 2)
			return 700 + 11*[...]float64{255 - blue, blue, green, red, 20 + 1.2*green - 0.2*red}[band]
		},
	}
}

// mountain returns two summits and a slope on the map, with nodata at the left edge and in a hole.
// Its heights are multiples of 1/8 meter, so that contour lines are exact on every processor.
func mountain() tifftest.Image {
	cone := func(x, y, centerX, centerY, width int) float64 {
		dx, dy := x-centerX, y-centerY
		return 1 / (1 + float64(dx*dx+dy*dy)/float64(width*width))
	}
	return tifftest.Image{
		Width: 131, Height: 97, Bits: 32, Format: tifftest.Float, NoData: "-9999", Compression: tifftest.LZW, BlockHeight: 20,
		Tags: onTheMap(),
		Value: func(x, y, _ int) float64 {
			if x < 9 || inCircle(x, y, 55, 78, 5) {
				return -9999
			}
			return math.Round(8*(700*cone(x, y, 85, 35, 22)+350*cone(x, y, 30, 65, 10)+float64(x)/2)) / 8
		},
	}
}

// indices returns index samples whose colors are only in the side file.
func indices() tifftest.Image {
	return tifftest.Image{Width: 131, Height: 97, Compression: tifftest.PackBits, BlockHeight: 31,
		Value: func(x, y, _ int) float64 { return math.Floor(scene(x, y, 1) / 16) }}
}

// fadingColors returns the colors of sixteen samples; higher samples are more transparent.
func fadingColors() string {
	var text strings.Builder
	text.WriteString(`<PAMDataset><PAMRasterBand band="1"><ColorInterp>Palette</ColorInterp><ColorTable>`)
	for i, c := range sixteenColors() {
		fmt.Fprintf(&text, `<Entry c1="%d" c2="%d" c3="%d" c4="%d"/>`, c[0]>>8, c[1]>>8, c[2]>>8, 255-15*i)
	}
	text.WriteString(`</ColorTable></PAMRasterBand></PAMDataset>`)
	return text.String()
}

// inks returns the scene in CMYK with the maximum of black.
func inks() tifftest.Image {
	return tifftest.Image{Width: 131, Height: 97, Samples: 4, Photometric: tifftest.CMYK, Compression: tifftest.LZW,
		Value: func(x, y, band int) float64 {
			light := max(scene(x, y, 0), scene(x, y, 1), scene(x, y, 2))
			if band == 3 {
				return 255 - light
			}
			return 255 * (light - scene(x, y, band)) / light
		}}
}

// lab returns CIELAB samples: green to red rightwards, blue to yellow downwards, with the lightness of the scene.
func lab() tifftest.Image {
	const cieLab = 8
	signed := func(v int) float64 { return float64(uint8(int8(v))) }
	return tifftest.Image{Width: 131, Height: 97, Samples: 3, Photometric: tifftest.Photometric(cieLab + 1), Compression: tifftest.Deflate,
		Value: func(x, y, band int) float64 {
			return [...]float64{math.Round(60 + 0.7*scene(x, y, 1)), signed(x - 65), signed(y - 48)}[band]
		}}
}

// echoes returns complex samples whose magnitudes span three orders, and whose phases change from
// pixel to pixel.
func echoes() tifftest.Image {
	magnitude := func(x, y int) float64 { return 5 * math.Pow(1+scene(x, y, 0)/32, 3) }
	part := func(phase int) float64 { return [...]float64{0.6, -0.8, -0.6, 0.8}[phase%4] }
	return tifftest.Image{Width: 131, Height: 97, Bits: 64, Format: tifftest.ComplexFloat,
		Value:     func(x, y, _ int) float64 { return magnitude(x, y) * part(x+2*y) },
		Imaginary: func(x, y, _ int) float64 { return magnitude(x, y) * part(x+2*y+1) },
	}
}

// scan returns a bilevel page: thin lines, a letter and a dotted field.
func scan() tifftest.Image {
	return tifftest.Image{Width: 523, Height: 389, Bits: 1, Photometric: tifftest.WhiteIsZero, Compression: tifftest.PackBits, BlockHeight: 40,
		Value: func(x, y, _ int) float64 {
			switch {
			case inLetter((x-40)/5, (y-150)/5):
				return 1
			case inCircle(x, y, 380, 250, 100):
				return bit(x%3 == 0 && y%2 == 0)
			}
			return bit(y < 120 && y%17 < 2 || x == 7)
		}}
}

// classes returns a few category numbers as signed 16-bit samples.
func classes() tifftest.Image {
	return tifftest.Image{Width: 131, Height: 97, Bits: 16, Format: tifftest.Signed, NoData: "0", Compression: tifftest.Deflate,
		Value: func(x, y, _ int) float64 {
			switch {
			case x == 0 || y == 0 || x == 130 || y == 96:
				return 0
			case inCircle(x, y, 95, 30, 18):
				return 1
			case inLetter(x-15, y-45):
				return 2
			}
			return float64(10 + x/33)
		}}
}

// disc returns a white disc on nodata.
func disc() tifftest.Image {
	return tifftest.Image{Width: 333, Height: 257, Samples: 3, NoData: "0", Tags: onTheMap(), Compression: tifftest.Deflate, BlockHeight: 33,
		Value: func(x, y, _ int) float64 { return 255 * bit(inCircle(x, y, 160, 130, 97)) }}
}
