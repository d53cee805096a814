package blocks

import (
	"bytes"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// FuzzZSTD compares the bounded frame decoder that blocks use with the library's streaming decoder.
func FuzzZSTD(f *testing.F) {
	for level := zstd.SpeedFastest; level <= zstd.SpeedBestCompression; level++ {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(w.EncodeAll(bytes.Repeat([]byte("abcabcabd"), 50), nil), uint16(450))
		f.Add(w.EncodeAll(nil, nil), uint16(0))
		f.Add(w.EncodeAll(bytes.Repeat([]byte{7}, 3000), nil), uint16(100))
	}
	decompress := newZSTD().decompress
	f.Fuzz(func(t *testing.T, source []byte, size uint16) {
		got := make([]byte, size)
		n, err := decompress(got, source)
		if n < 0 || n > len(got) {
			t.Fatalf("%d of %d bytes", n, len(got))
		}
		r, streamErr := zstd.NewReader(bytes.NewReader(source), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
		if streamErr != nil {
			return
		}
		defer r.Close()
		want, streamErr := io.ReadAll(io.LimitReader(r, int64(size)))
		// The streaming decoder may end early, because its window is smaller.
		if shared := min(n, len(want)); err == nil && !bytes.Equal(got[:shared], want[:shared]) {
			t.Fatal("the two decoders give different bytes")
		}
		if err == nil && n < int(size) && streamErr == nil && len(want) != n {
			t.Fatalf("%d bytes, and %d as a stream", n, len(want))
		}
	})
}
