package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"tileserver/config"
	"tileserver/decode/tiff/tifftest"
)

// BenchmarkStoredBlock measures a whole request, without the network, that is answered with a
// stored block of a file. The cache is too small for all blocks.
func BenchmarkStoredBlock(b *testing.B) {
	for _, side := range []int{256, 512} {
		b.Run(fmt.Sprint(side), func(b *testing.B) {
			const blocks = 8
			file, err := tifftest.File{Images: []tifftest.Image{{
				Width: blocks * side, Height: blocks * side, BlockWidth: side, BlockHeight: side, Tiled: true, Samples: 3,
				Photometric: tifftest.YCbCr, Compression: tifftest.JPEGBlocks, JPEG: tifftest.JPEG{Subsampled: true},
				Value: func(x, y, band int) float64 { return float64((x/9 + y/7*(band+1) + x*y/9100) % 256) },
			}}}.Encode()
			if err != nil {
				b.Fatal(err)
			}
			path := filepath.Join(b.TempDir(), "stored.tif")
			if err := os.WriteFile(path, file, 0o644); err != nil {
				b.Fatal(err)
			}
			c := config.Default()
			c.Cache, c.State, c.Paths = 64<<10, "", []config.Path{{Path: path}}
			s, err := (&program{stdout: io.Discard, stderr: io.Discard}).newServer(c)
			if err != nil {
				b.Fatal(err)
			}
			defer s.close()
			desired, err := desiredBy(&c)
			if err != nil {
				b.Fatal(err)
			}
			if err := s.library.Start(b.Context(), desired); err != nil {
				b.Fatal(err)
			}
			handler, err := s.handler(c)
			if err != nil {
				b.Fatal(err)
			}
			z, scale := 3, ""
			if side == 512 {
				scale = "@2x"
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				address := fmt.Sprintf("/tiles/stored/image/%d/%d/%d%s.jpg", z, i%blocks, i/blocks%blocks, scale)
				answer := sink{header: make(http.Header)}
				handler.ServeHTTP(&answer, httptest.NewRequest(http.MethodGet, address, nil))
				if from := answer.header.Get("X-Cache"); from != "STORED" {
					b.Fatalf("%s is %q", address, from)
				}
				b.SetBytes(answer.bytes)
			}
		})
	}
}

// sink is a ResponseWriter that discards the body.
type sink struct {
	header http.Header
	bytes  int64
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(int)     {}
func (s *sink) Write(p []byte) (int, error) {
	s.bytes += int64(len(p))
	return len(p), nil
}
