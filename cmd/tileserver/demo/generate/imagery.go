package main

import "tileserver/decode/tiff/tifftest"

// bands is the number of bands: red, green, blue and near infrared.
const bands = 4

var bandNames = [bands]string{"red", "green", "blue", "nir"}

// jpegQuality is sufficient for a map and keeps the embedded file small.
const jpegQuality = 51

// picture is an aerial image of the islands with a near-infrared band.
type picture struct {
	width, height int
	samples       []uint8
}

func (s *scene) picture() picture {
	p := picture{s.width, s.height, make([]uint8, bands*s.width*s.height)}
	parallelRows(s.height, func(y int) {
		for x := range s.width {
			for band, value := range s.paint(x, y) {
				p.samples[bands*(y*s.width+x)+band] = uint8(min(max(value+0.5, 0), 255))
			}
		}
	})
	return p
}

// file returns the picture as a TIFF.
func (p picture) file() ([]byte, error) {
	var items []item
	for band, name := range bandNames {
		items = append(items, item{band, "DESCRIPTION", "description", name})
	}
	return cog(p, metadata(items))
}

func (p picture) size() (width, height int) { return p.width, p.height }

// halved returns the picture at half the size. Each pixel is the mean of four.
func (p picture) halved() picture {
	half := picture{(p.width + 1) / 2, (p.height + 1) / 2, nil}
	half.samples = make([]uint8, bands*half.width*half.height)
	parallelRows(half.height, func(y int) {
		for x := range half.width {
			for band := range bands {
				right, below := min(2*x+1, p.width-1), min(2*y+1, p.height-1)
				sum := p.at(2*x, 2*y, band) + p.at(right, 2*y, band) + p.at(2*x, below, band) + p.at(right, below, band)
				half.samples[bands*(y*half.width+x)+band] = uint8((sum + 2) / 4)
			}
		}
	})
	return half
}

func (p picture) at(x, y, band int) int { return int(p.samples[bands*(y*p.width+x)+band]) }

func (p picture) image() tifftest.Image {
	return tifftest.Image{
		Width: p.width, Height: p.height,
		Value:   func(x, y, band int) float64 { return float64(p.at(x, y, band)) },
		Samples: bands,
		Tiled:   true, BlockWidth: tileSize, BlockHeight: tileSize,
		Compression:  tifftest.JPEGBlocks,
		Photometric:  tifftest.RGB,
		ExtraSamples: []int{0},
		JPEG:         tifftest.JPEG{Quality: jpegQuality},
	}
}
