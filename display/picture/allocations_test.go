//go:build !race

package picture

import "testing"

func TestRepeatedEncodingDoesNotAllocate(t *testing.T) {
	var e Encoder
	for _, f := range []FileFormat{PNG, JPEG, WebP} {
		for format := Gray; format <= Paletted; format++ {
			p := gradientPicture(format, 64, 64)
			var file []byte
			allocations := testing.AllocsPerRun(20, func() {
				var err error
				if file, err = e.Encode(file[:0], p, f, Options{}); err != nil {
					t.Fatal(err)
				}
			})
			if allocations >= 1 {
				t.Errorf("format %d as %v: %v allocations", format, f, allocations)
			}
		}
	}
}
