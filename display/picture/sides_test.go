package picture

import (
	"fmt"
	"testing"
)

// TestMaxSide checks limits of common readers: libpng, libjpeg and libwebp reject larger files. The
// decoders used in tests would accept them.
func TestMaxSide(t *testing.T) {
	var e Encoder
	for f, want := range map[FileFormat]int{PNG: 1_000_000, JPEG: 65_500, WebP: 16_383} {
		if got := f.MaxSide(); got != want {
			t.Errorf("%v: got %d, want %d", f, got, want)
		}
		for _, long := range []int{want, want + 1} {
			for _, size := range [][2]int{{long, 1}, {1, long}} {
				t.Run(fmt.Sprintf("%v/%v", f, size), func(t *testing.T) {
					p := new(Picture)
					p.Reshape(size[0], size[1], Gray)
					got, err := e.Encode([]byte("as before"), p, f, Options{})
					if (err == nil) != (long == want) || err != nil && string(got) != "as before" {
						t.Errorf("got %d bytes and the error %v", len(got), err)
					}
				})
			}
		}
	}
}
