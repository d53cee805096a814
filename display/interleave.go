package display

import (
	"encoding/binary"

	"tileserver/display/picture"
	"tileserver/raster"
)

// interleave2 interleaves gray and opacity. Fully transparent pixels become 0.
func interleave2(pixels, grays, opacity []uint8) {
	pixels, opacity = pixels[:2*len(grays)], opacity[:len(grays)]
	for i, gray := range grays {
		alpha := opacity[i]
		pixel := uint16(gray) | uint16(alpha)<<8
		if alpha == 0 {
			pixel = 0
		}
		binary.LittleEndian.PutUint16(pixels, pixel)
		pixels = pixels[2:]
	}
}

// interleave3 interleaves three planes.
func interleave3(pixels, red, green, blue []uint8) {
	green, blue = green[:len(red)], blue[:len(red)]
	pixels = pixels[:3*len(red)]
	done := interleaveVectors(pixels, red, green, blue)
	interleave3InGo(pixels[3*done:], red[done:], green[done:], blue[done:])
}

// interleave3InGo writes four pixels at a time, as three 32-bit words.
func interleave3InGo(pixels, red, green, blue []uint8) {
	i := 0
	for ; i+4 <= len(red); i += 4 {
		r := binary.LittleEndian.Uint32(red[i:])
		g := binary.LittleEndian.Uint32(green[i:])
		b := binary.LittleEndian.Uint32(blue[i:])
		binary.LittleEndian.PutUint64(pixels, uint64(r&0xff|g&0xff<<8|b&0xff<<16|r&0xff00<<16)|
			uint64(g&0xff00>>8|b&0xff00|r&0xff0000|g&0xff0000<<8)<<32)
		binary.LittleEndian.PutUint32(pixels[8:], b&0xff0000>>16|r&0xff000000>>16|g&0xff000000>>8|b&0xff000000)
		pixels = pixels[12:]
	}
	for ; i < len(red); i++ {
		pixels[0], pixels[1], pixels[2] = red[i], green[i], blue[i]
		pixels = pixels[3:]
	}
}

// interleave4 interleaves three planes and opacity. Fully transparent pixels become 0.
func interleave4(pixels, red, green, blue, opacity []uint8) {
	green, blue, opacity = green[:len(red)], blue[:len(red)], opacity[:len(red)]
	pixels = pixels[:4*len(red)]
	for i, r := range red {
		alpha := opacity[i]
		pixel := picture.Pack(raster.RGBA{R: r, G: green[i], B: blue[i], A: alpha})
		if alpha == 0 {
			pixel = 0
		}
		binary.LittleEndian.PutUint32(pixels, pixel)
		pixels = pixels[4:]
	}
}

const opaque = 0xff << 24

// A colorTable holds the colors of 8-bit samples. Samples past the end of the given colors are
// transparent.
type colorTable struct {
	colors [256]raster.RGBA
	packed []uint32
}

func newColorTable(colors []raster.RGBA) *colorTable {
	t := &colorTable{packed: packAll(colors, 256)}
	for i, c := range t.packed {
		t.colors[i] = raster.RGBA{R: uint8(c), G: uint8(c >> 8), B: uint8(c >> 16), A: uint8(c >> 24)}
	}
	return t
}

// packAll packs n colors. Entries past the end of colors are transparent.
func packAll(colors []raster.RGBA, n int) []uint32 {
	packed := make([]uint32, n)
	for i, c := range colors[:min(n, len(colors))] {
		if c.A != 0 {
			packed[i] = picture.Pack(c)
		}
	}
	return packed
}

// colorize writes the color of each sample, its opacity reduced by the coverage. Coverage may be
// nil. Every sample must have an entry in packed.
func colorize[T uint8 | uint16](pixels []uint8, samples []T, coverage []uint8, packed []uint32) {
	pixels = pixels[:4*len(samples)]
	if coverage == nil {
		for _, v := range samples {
			binary.LittleEndian.PutUint32(pixels, packed[v])
			pixels = pixels[4:]
		}
		return
	}
	coverage = coverage[:len(samples)]
	for i, v := range samples {
		binary.LittleEndian.PutUint32(pixels, withCoverage(packed[v], coverage[i]))
		pixels = pixels[4:]
	}
}

// withCoverage returns a packed color with its opacity reduced by the coverage.
func withCoverage(color uint32, coverage uint8) uint32 {
	if coverage == raster.Valid {
		return color
	}
	alpha := picture.Divide255(color >> 24 * uint32(coverage))
	if alpha == 0 {
		return 0
	}
	return color&^opaque | alpha<<24
}
