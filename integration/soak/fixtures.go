package main

import (
	"bytes"
	"compress/zlib"
	"fmt"

	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/tiff/tifftest"
)

// The place of the files on the map: from the corner of a tile of WebMercatorQuad, with its pixels.
const (
	zoom, cornerColumn, cornerRow = 12, 2200, 1340

	worldWidth = 40075016.68557849
	resolution = worldWidth / 256 / (1 << zoom)
	cornerX    = -worldWidth/2 + cornerColumn*256*resolution
	cornerY    = worldWidth/2 - cornerRow*256*resolution
)

func onTheMap() []tifftest.Tag {
	return tifftest.GeoTIFF(tifftest.Georeference{EPSG: 3857, OriginX: cornerX, OriginY: cornerY, PixelX: resolution, PixelY: resolution})
}

// The sides of the files, in pixels.
const (
	mapSide      = 2048
	noiseSide    = 2000
	losslessSide = 700
	bareBlock    = 512
	bareBlocks   = 12 // in each direction
	versionWidth = 600
)

// stableFiles are the files that stay, by name.
var stableFiles = map[string]func() ([]byte, error){
	"map.tif":      mapFile,
	"noise.tif":    noiseFile,
	"heights.tif":  heightsFile,
	"bare.tif":     bareFile,
	"damaged.tif":  damagedFile,
	"lossless.j2k": losslessFile,
}

func withOverviews(img tifftest.Image, count int) ([]byte, error) {
	return tifftest.File{Images: append([]tifftest.Image{img}, tifftest.Overviews(img, count)...)}.Encode()
}

// mapFile returns what most map servers have: colors in blocks, with overviews.
func mapFile() ([]byte, error) {
	return withOverviews(tifftest.Image{
		Width: mapSide, Height: mapSide, Samples: 3, Photometric: tifftest.RGB, Tiled: true, Compression: tifftest.Deflate,
		Value: func(x, y, band int) float64 { return float64((x*(band+2)/3 + y*y/(64*(band+1))) % 256) },
		Tags:  onTheMap(),
	}, 3)
}

// heightsFile returns samples of 16 bits with nodata.
func heightsFile() ([]byte, error) {
	return withOverviews(tifftest.Image{
		Width: 1201, Height: 901, Bits: 16, Tiled: true, BlockWidth: 128, BlockHeight: 128, Compression: tifftest.LZW, NoData: "0",
		Value: func(x, y, _ int) float64 {
			if (x-300)*(x-300)+(y-400)*(y-400) < 9000 {
				return 0
			}
			return float64(1000 + x*y/97%3000)
		},
		Tags: onTheMap(),
	}, 2)
}

// noiseFile returns an image that no format can compress.
func noiseFile() ([]byte, error) {
	return tifftest.File{Images: []tifftest.Image{{
		Width: noiseSide, Height: noiseSide, Samples: 3, Photometric: tifftest.RGB, Tiled: true, BlockWidth: 512, BlockHeight: 512, Value: noise,
	}}}.Encode()
}

func noise(x, y, band int) float64 {
	v := uint32(x+2003*(y+1999*band)) * 2654435761
	v = (v ^ v>>15) * 2246822519
	return float64((v ^ v>>13) >> 24)
}

// bareFile returns a large image without overviews. All blocks refer to the same stored bytes.
func bareFile() ([]byte, error) {
	const tileOffsets, tileByteCounts, headerBytes = 324, 325, 8
	block, err := compressedBlock()
	if err != nil {
		return nil, err
	}
	offsets, sizes := make([]uint32, bareBlocks*bareBlocks), make([]uint32, bareBlocks*bareBlocks)
	for i := range offsets {
		offsets[i], sizes[i] = headerBytes, uint32(len(block))
	}
	return tifftest.File{Images: []tifftest.Image{{
		Width: bareBlocks * bareBlock, Height: bareBlocks * bareBlock, Tiled: true, BlockWidth: bareBlock, BlockHeight: bareBlock,
		Compression: tifftest.Deflate, Sparse: func(column, row int) bool { return column+row > 0 },
		Value:  func(int, int, int) float64 { return 0 },
		Stored: func(int, int, int) []byte { return block },
		Tags:   append(onTheMap(), tifftest.Tag{ID: tileOffsets, Value: offsets}, tifftest.Tag{ID: tileByteCounts, Value: sizes}),
	}}}.Encode()
}

func compressedBlock() ([]byte, error) {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	pixels := make([]byte, 0, bareBlock*bareBlock)
	for y := range bareBlock {
		for x := range bareBlock {
			pixels = append(pixels, byte(x/3+y*y/300))
		}
	}
	if _, err := w.Write(pixels); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// damagedFile returns a file of which some blocks cannot be decoded.
func damagedFile() ([]byte, error) {
	data, err := versioned(0)
	if err != nil {
		return nil, err
	}
	for i := len(data) / 3; i < len(data)/2; i += 400 {
		data[i] ^= 0x5A
	}
	return data, nil
}

// losslessFile returns a codestream of JPEG 2000, which is dear to decode.
func losslessFile() ([]byte, error) {
	return jp2ktest.Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X1: losslessSide, Y1: losslessSide}, Components: jp2ktest.Components(3, 8),
			Coding: codestreamtest.Coding{Levels: 3, BlockWidthLog2: 6, BlockHeightLog2: 6},
		},
		Sample: func(component, x, y int) int64 { return int64(noise(x, y, component))/2 + int64(x+y)%128 },
	}.Codestream(), nil
}

// versioned returns one of many files of the same shape and size, no pixel of which is equal. The
// blocks are not compressed, so that they lie at the same places.
func versioned(number int) ([]byte, error) {
	const software = 305
	img := tifftest.Image{
		Width: versionWidth, Height: versionWidth, Samples: 3, Photometric: tifftest.RGB, Tiled: true, BlockWidth: 64, BlockHeight: 64,
		Value: func(x, y, band int) float64 { return float64((x/5 + y/7 + 37*number + 80*band) % 256) },
		Tags:  append(onTheMap(), tifftest.Tag{ID: software, Value: fmt.Sprintf("version %4d", number)}),
	}
	return withOverviews(img, 1)
}
