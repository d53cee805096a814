package main

import (
	"fmt"

	"tileserver/decode/tiff/tifftest"
)

// Where the picture lies: UTM zone 10 south, around the place in the South Pacific that is farthest from all land, so
// that it hides no real place.
const (
	utmZone10South = 32710
	westMetres     = 444000
	northMetres    = 4599000
)

// How the file is stored.
const (
	tileSize       = 512
	jpegQuality    = 77
	smallestPixels = 256 // of the longer side of the last overview
)

// picture is red, green and blue for each pixel.
type picture struct {
	width, height int
	samples       []uint8
}

func (s *scene) picture() picture {
	p := picture{s.width, s.height, make([]uint8, 3*s.width*s.height)}
	parallelRows(s.height, func(y int) {
		for x := range s.width {
			for band, value := range s.paint(x, y) {
				p.samples[3*(y*s.width+x)+band] = uint8(min(max(value+0.5, 0), 255))
			}
		}
	})
	return p
}

// halved is the picture at half the size; each pixel is the mean of four.
func (p picture) halved() picture {
	half := picture{(p.width + 1) / 2, (p.height + 1) / 2, nil}
	half.samples = make([]uint8, 3*half.width*half.height)
	parallelRows(half.height, func(y int) {
		for x := range half.width {
			for band := range 3 {
				right, below := min(2*x+1, p.width-1), min(2*y+1, p.height-1)
				sum := p.at(2*x, 2*y, band) + p.at(right, 2*y, band) + p.at(2*x, below, band) + p.at(right, below, band)
				half.samples[3*(y*half.width+x)+band] = uint8((sum + 2) / 4)
			}
		}
	})
	return half
}

func (p picture) at(x, y, band int) int { return int(p.samples[3*(y*p.width+x)+band]) }

// cog is the picture and its overviews as a Cloud Optimized GeoTIFF.
func (p picture) cog() ([]byte, error) {
	first := p.image()
	first.Tags = tifftest.GeoTIFF(tifftest.Georeference{
		EPSG:    utmZone10South,
		OriginX: westMetres, OriginY: northMetres,
		PixelX: ground.width / float64(p.width), PixelY: ground.height / float64(p.height),
	})
	images := []tifftest.Image{first}
	for level := p; max(level.width, level.height) > smallestPixels; {
		level = level.halved()
		overview := level.image()
		overview.Subfile = tifftest.Overview
		images = append(images, overview)
	}
	data, err := tifftest.File{COG: true, Images: images}.Encode()
	if err != nil {
		return nil, fmt.Errorf("write the picture as TIFF: %w", err)
	}
	return data, nil
}

func (p picture) image() tifftest.Image {
	return tifftest.Image{
		Width: p.width, Height: p.height,
		Value:   func(x, y, band int) float64 { return float64(p.at(x, y, band)) },
		Samples: 3,
		Tiled:   true, BlockWidth: tileSize, BlockHeight: tileSize,
		Compression: tifftest.JPEGBlocks,
		Photometric: tifftest.YCbCr,
		JPEG:        tifftest.JPEG{Quality: jpegQuality, Subsampled: true},
	}
}
