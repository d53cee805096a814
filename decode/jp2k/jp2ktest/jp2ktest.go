// Package jp2ktest encodes images without loss, for tests of the decoder. It is slow, and uses the
// test encoders of the packages for headers, packets, code-blocks and wavelets. It must never know
// of files or rasters.
package jp2ktest

import (
	"math/rand/v2"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/packets/packetstest"
)

// Image is an image to encode, and how. The wavelet is reversible.
type Image struct {
	codestreamtest.Header

	// Sample returns a sample of a component at a position in the component's unbounded grid.
	Sample func(component, x, y int) int64

	// Without lists tiles of which nothing is stored.
	Without []int

	// Lengths writes the lengths of packets (PLT).
	Lengths bool

	// OfTile holds the codings of tiles with their own, by number.
	OfTile map[int]codestreamtest.Coding
}

// Codestream returns the image as a codestream.
func (m Image) Codestream() []byte {
	var parts []codestreamtest.TilePart
	for _, t := range m.tiles() {
		if !contains(m.Without, t.Number) {
			parts = append(parts, m.tilePart(t))
		}
	}
	return codestreamtest.Codestream(m.Header, parts...)
}

func contains(numbers []int, number int) bool {
	for _, n := range numbers {
		if n == number {
			return true
		}
	}
	return false
}

// tiles returns all tiles as described by the headers, without content.
func (m Image) tiles() []*codestream.Tile {
	h := must(codestream.ReadHeader(codestreamtest.NewReader(codestreamtest.Codestream(m.Header, codestreamtest.TilePart{})), codestream.Limits{}))
	var empty []codestreamtest.TilePart
	for i := range h.Tiles() {
		empty = append(empty, codestreamtest.TilePart{Tile: i, Count: 1, Segments: m.segmentsOf(i)})
	}
	r := codestreamtest.NewReader(codestreamtest.Codestream(m.Header, empty...))
	parts := must(h.FindParts(r))
	tiles := make([]*codestream.Tile, h.Tiles())
	for i := range tiles {
		tiles[i] = must(h.ReadTile(r, parts, i))
	}
	return tiles
}

// segmentsOf returns the markers of a tile's header.
func (m Image) segmentsOf(tile int) [][]byte {
	coding, ok := m.OfTile[tile]
	if !ok {
		return nil
	}
	return [][]byte{codestreamtest.COD(coding), codestreamtest.QCD(codestreamtest.ReversibleSteps(m.Components[0].Bits, coding.Levels))}
}

// tilePart returns a tile as one part.
func (m Image) tilePart(t *codestream.Tile) codestreamtest.TilePart {
	blocks := make(map[packetstest.Key]*packetstest.Block)
	for c, resolutions := range m.transform(t) {
		code(blocks, t, c, resolutions)
	}
	writable := *t
	writable.Parts = nil
	options := packetstest.Options{SOP: t.SOP, EPH: t.EPH, Lengths: m.Lengths}
	encoded := packetstest.Write(&writable, blocks, options, rand.New(rand.NewPCG(1, 2)))
	location := writable.Parts[0]
	part := codestreamtest.TilePart{Tile: t.Number, Count: 1, Segments: m.segmentsOf(t.Number), Body: encoded.Bytes[location.Offset:][:location.Length]}
	if m.Lengths {
		part.Segments = append(part.Segments, lengths(writable.PacketLengths)...)
	}
	return part
}

// lengths returns the markers with the lengths of packets.
func lengths(packets []uint32) (segments [][]byte) {
	const maxLengths = 8000 // of up to five bytes
	for len(packets) > 0 {
		n := min(len(packets), maxLengths)
		numbers := make([]int, n)
		for i, length := range packets[:n] {
			numbers[i] = int(length)
		}
		segments = append(segments, codestreamtest.PLT(len(segments), codestreamtest.Lengths(numbers...)))
		packets = packets[n:]
	}
	return segments
}

// must returns a value that cannot fail if the test describes its image correctly.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
