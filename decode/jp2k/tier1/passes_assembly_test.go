//go:build (amd64 || arm64) && !purego

package tier1_test

import (
	"fmt"
	"slices"
	"testing"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/integration/processor"
)

// decodeTwice decodes a block in assembly and in Go. Both must give the same coefficients, errors
// and final state.
func decodeTwice(t *testing.T, b *tier1.Block) {
	t.Helper()
	var fast, plain tier1.Decoder
	got, want := make([]int32, b.Width*b.Height), make([]int32, b.Width*b.Height)
	err := fast.Decode(b, got)
	wantErr := plain.DecodeInGo(b, want)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || !slices.Equal(got, want) || !tier1.SameState(&fast, &plain) {
		t.Fatalf("%d x %d, style %06b, %d passes: in assembly %v, in Go %v; coefficients %v, coder and field %v",
			b.Width, b.Height, b.Style, b.Passes, err, wantErr, slices.Equal(got, want), tier1.SameState(&fast, &plain))
	}
}

func TestAssemblyMatchesGo(t *testing.T) {
	processor.Require(t, tier1.HasFastInstructions, "BMI1, BMI2 or LZCNT")
	for style := range tier1.Style(allStyles) {
		for i, size := range sizes {
			if size[0]*size[1] > 1024 && (int(style)+i)%8 != 0 {
				continue // slow to encode
			}
			scale := []float64{0.3, 5, 500}[(i+int(style))%3]
			values := tier1test.Coefficients(size[0]*size[1], scale, uint64(i))
			b := tier1test.Encode(values, size[0], size[1], wavelet.Orientation(i%4), style)
			for passes := b.Passes; passes > 0; passes = passes * 2 / 3 {
				cut := tier1test.Cut(b, passes)
				decodeTwice(t, &cut)
			}
			for at := 0; at < len(b.Data); at += 1 + len(b.Data)/3 {
				decodeDamaged := b
				decodeDamaged.Data = slices.Clone(b.Data)
				decodeDamaged.Data[at] ^= 1 << (at % 8)
				decodeTwice(t, &decodeDamaged)
				decodeDamaged.Data = decodeDamaged.Data[:at]
				decodeTwice(t, &decodeDamaged)
			}
		}
	}
}
