package ccitt

import (
	"bytes"
	"io"
	"testing"

	xccitt "golang.org/x/image/ccitt"
)

func BenchmarkDecode(b *testing.B) {
	for _, sample := range []struct {
		name  string
		image bitmap
	}{
		{"page", page(1728, 1100)},
		{"noise", samples(1728, 300)["noise"]},
		{"white", samples(1728, 1100)["white"]},
	} {
		dst := make([]byte, len(sample.image.packed()))
		for _, coding := range codings(sample.image) {
			b.Run(sample.name+"/"+coding.name, func(b *testing.B) {
				var decoder Decoder
				b.SetBytes(int64(len(dst)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := decoder.Decode(dst, coding.src, coding.params); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		width, rows := sample.image.width, len(sample.image.rows)
		for name, reference := range map[string]struct {
			src    []byte
			scheme xccitt.SubFormat
		}{
			"Group 3": {encodeGroup3(sample.image, group3Style{endOfPage: true}), xccitt.Group3},
			"Group 4": {encodeGroup4(sample.image, true), xccitt.Group4},
		} {
			b.Run(sample.name+"/"+name+" reference", func(b *testing.B) {
				b.SetBytes(int64(len(dst)))
				b.ReportAllocs()
				for b.Loop() {
					r := xccitt.NewReader(bytes.NewReader(reference.src), xccitt.MSB, reference.scheme, width, rows, nil)
					if _, err := io.ReadFull(r, dst); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
