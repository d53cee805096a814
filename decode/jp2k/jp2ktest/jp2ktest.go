// Package jp2ktest codes images without loss, for tests of what reads them: slowly, with the encoders that the packages for
// headers, packets, code-blocks and wavelets have for their own tests. It knows nothing of files or rasters.
package jp2ktest

import (
	"math/rand/v2"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/packets/packetstest"
)

// Image is what is coded, and how. The wavelet is reversible.
type Image struct {
	codestreamtest.Header

	// Sample is a sample of a component at its place among all that the component's grid could have.
	Sample func(component, x, y int) int64

	// Without are tiles of which nothing is stored.
	Without []int

	// Lengths says that the lengths of packets are told (PLT).
	Lengths bool

	// OfTile are codings of tiles that have their own, by their numbers.
	OfTile map[int]codestreamtest.Coding
}

// Codestream is the image as a codestream.
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

// tiles are all tiles as their headers have them, with nothing in them.
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

// segmentsOf are the markers of the header of a tile.
func (m Image) segmentsOf(tile int) [][]byte {
	coding, ok := m.OfTile[tile]
	if !ok {
		return nil
	}
	return [][]byte{codestreamtest.COD(coding), codestreamtest.QCD(codestreamtest.ReversibleSteps(m.Components[0].Bits, coding.Levels))}
}

// tilePart is a tile, all of it in one part.
func (m Image) tilePart(t *codestream.Tile) codestreamtest.TilePart {
	blocks := make(map[packetstest.Key]*packetstest.Block)
	for c, resolutions := range m.transformed(t) {
		code(blocks, t, c, resolutions)
	}
	writable := *t
	writable.Parts = nil
	manner := packetstest.Options{SOP: t.SOP, EPH: t.EPH, Lengths: m.Lengths}
	written := packetstest.Write(&writable, blocks, manner, rand.New(rand.NewPCG(1, 2)))
	where := writable.Parts[0]
	part := codestreamtest.TilePart{Tile: t.Number, Count: 1, Segments: m.segmentsOf(t.Number), Body: written.Bytes[where.Offset:][:where.Length]}
	if m.Lengths {
		part.Segments = append(part.Segments, lengths(writable.PacketLengths)...)
	}
	return part
}

// lengths are the markers that tell the lengths of packets, as many as it takes.
func lengths(packets []uint32) (segments [][]byte) {
	const most = 8000 // of up to five bytes
	for len(packets) > 0 {
		n := min(len(packets), most)
		numbers := make([]int, n)
		for i, length := range packets[:n] {
			numbers[i] = int(length)
		}
		segments = append(segments, codestreamtest.PLT(len(segments), codestreamtest.Lengths(numbers...)))
		packets = packets[n:]
	}
	return segments
}

// must is a value of which a test that describes its image rightly can be sure.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
