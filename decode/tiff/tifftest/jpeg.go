package tifftest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
)

// JPEG markers.
const (
	markerFrame   = 0xC0
	markerHuffman = 0xC4
	markerStart   = 0xD8
	markerEnd     = 0xD9
	markerScan    = 0xDA
	markerQuant   = 0xDB
)

// jpegBlock encodes a block and removes its tables, unless InlineTables is set.
//
// The standard library encodes only gray and YCbCr 4:2:0. Several bands at full resolution are
// encoded as gray images, whose scans are then interleaved.
func (c *compressor) jpegBlock(b block) ([]byte, error) {
	var tables, rest []byte
	var err error
	switch {
	case b.samples == 1:
		tables, rest, err = c.encodeJPEG(b.gray(0))
	case b.samples < 3 || b.samples > maxJPEGBands || c.image.Photometric == YCbCr && b.samples != 3:
		return nil, fmt.Errorf("JPEG of %d samples", b.samples)
	case c.image.Photometric == YCbCr && c.image.JPEG.Subsampled:
		tables, rest, err = c.encodeJPEG(b.color())
	default:
		if c.image.Photometric == YCbCr {
			b = b.toYCbCr()
		}
		tables, rest, err = c.fullResolution(b)
	}
	if err != nil {
		return nil, err
	}
	start, end := []byte{0xFF, markerStart}, []byte{0xFF, markerEnd}
	if c.image.JPEG.InlineTables {
		return bytes.Join([][]byte{start, tables, rest, end}, nil), nil
	}
	c.jpegTables = bytes.Join([][]byte{start, tables, end}, nil)
	return bytes.Join([][]byte{start, rest, end}, nil), nil
}

// encodeJPEG returns the tables and the rest of an encoded image, both without start and end
// markers.
func (c *compressor) encodeJPEG(img image.Image) (tables, rest []byte, err error) {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, &jpeg.Options{Quality: c.image.JPEG.Quality}); err != nil {
		return nil, nil, err
	}
	stream := out.Bytes()[2:]
	for len(stream) >= 4 {
		marker, size := stream[1], 2+int(binary.BigEndian.Uint16(stream[2:]))
		switch {
		case marker == markerScan:
			return tables, append(rest, stream[:len(stream)-2]...), nil
		case size > len(stream):
			return nil, nil, errors.New("a JPEG segment is cut off")
		case marker == markerQuant || marker == markerHuffman:
			tables = append(tables, stream[:size]...)
		default:
			rest = append(rest, stream[:size]...)
		}
		stream = stream[size:]
	}
	return nil, nil, errors.New("a JPEG without a scan")
}

// maxJPEGBands is the maximum number of components of a scan.
const maxJPEGBands = 4

// fullResolution encodes a frame with one component per band, without subsampling, and their common
// scan.
func (c *compressor) fullResolution(b block) (tables, rest []byte, err error) {
	bands := byte(b.samples)
	rest = []byte{0xFF, markerFrame, 0, 8 + 3*bands, 8}
	rest = binary.BigEndian.AppendUint16(rest, uint16(b.height))
	rest = binary.BigEndian.AppendUint16(rest, uint16(b.width))
	rest = append(rest, bands)
	for band := range bands {
		rest = append(rest, band+1, 0x11, 0)
	}
	rest = append(rest, 0xFF, markerScan, 0, 6+2*bands, bands)
	for band := range bands {
		rest = append(rest, band+1, 0)
	}
	rest = append(rest, 0, 63, 0)
	var scans [][]byte
	for band := range b.samples {
		var gray []byte
		if tables, gray, err = c.encodeJPEG(b.gray(band)); err != nil {
			return nil, nil, err
		}
		const grayScanHeaderBytes = 10
		scans = append(scans, gray[bytes.Index(gray, []byte{0xFF, markerScan})+grayScanHeaderBytes:])
	}
	entropy, err := interleave(scans, tables, ceilDivide(b.width, 8)*ceilDivide(b.height, 8))
	return tables, append(rest, entropy...), err
}

func (b block) gray(band int) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, b.width, b.height))
	for i := range img.Pix {
		img.Pix[i] = byte(b.values[i*b.samples+band])
	}
	return img
}

func (b block) color() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, b.width, b.height))
	for i := range b.width * b.height {
		for band := range 3 {
			img.Pix[4*i+band] = byte(b.values[3*i+band])
		}
		img.Pix[4*i+3] = 0xFF
	}
	return img
}

// toYCbCr converts the block from RGB to YCbCr.
func (b block) toYCbCr() block {
	converted := make([]uint64, 0, len(b.values))
	for pixel := b.values; len(pixel) > 0; pixel = pixel[3:] {
		y, cb, cr := color.RGBToYCbCr(byte(pixel[0]), byte(pixel[1]), byte(pixel[2]))
		converted = append(converted, uint64(y), uint64(cb), uint64(cr))
	}
	b.values = converted
	return b
}
