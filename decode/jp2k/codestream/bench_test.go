package codestream_test

import (
	"slices"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
)

func BenchmarkScanParts(b *testing.B) {
	const columns, rows = 250, 200
	data := codestreamtest.Header{
		Image: rect{X1: columns, Y1: rows}, FirstTile: rect{X1: 1, Y1: 1}, Components: gray(8),
	}.Bytes()
	for i := range 2 * columns * rows {
		data = append(data, codestreamtest.TilePart{Tile: i / 2, Number: i % 2}.Bytes()...)
	}
	r := &codestreamtest.Reader{Data: data, Piece: 1 << 16}
	h, err := codestream.ReadHeader(r, codestream.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := h.ScanParts(r); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(2*columns*rows), "ns/part")
}

func BenchmarkReadTile(b *testing.B) {
	lengths := make([]int, 100_000)
	total := 0
	for i := range lengths {
		lengths[i] = i % 300
		total += lengths[i]
	}
	list := codestreamtest.Lengths(lengths...)
	var segments [][]byte
	for index, chunk := range slices.Collect(slices.Chunk(list, 60000)) {
		segments = append(segments, codestreamtest.PLT(index, chunk))
	}
	for _, test := range []struct {
		name string
		part codestreamtest.TilePart
	}{
		{"plain", codestreamtest.TilePart{Body: make([]byte, 100)}},
		{"100000 lengths", codestreamtest.TilePart{Body: make([]byte, total), Segments: segments}},
	} {
		b.Run(test.name, func(b *testing.B) {
			r := codestreamtest.NewReader(codestreamtest.Codestream(codestreamtest.Header{
				Image: rect{X1: 8192, Y1: 8192}, Components: slices.Repeat(gray(8), 3), Coding: codestreamtest.Coding{Levels: 5},
			}, test.part))
			h, err := codestream.ReadHeader(r, codestream.Limits{})
			if err != nil {
				b.Fatal(err)
			}
			parts, err := h.FindParts(r)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.ReadTile(r, parts, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
