package geotiff

import "testing"

func TestPredictors(t *testing.T) {
	want := map[Type]predictor{
		Uint8: 2, Int8: 2, Uint16: 2, Int16: 2, Uint32: 2, Int32: 2, Uint64: 1, Int64: 1, Float32: 3, Float64: 3,
		ComplexInt16: 1, ComplexInt32: 1, Complex64: 1, Complex128: 1,
	}
	for kind, predictor := range want {
		img := noisyImage(kind, 9, 5, 1)
		if got := parse(t, encode(t, img)).images[0].one(317, 1); got != int(predictor) {
			t.Errorf("%s: predictor %d, want %d", kind, got, predictor)
		}
		img.Compression = Uncompressed
		if got := parse(t, encode(t, img)).images[0].one(317, 1); got != 1 {
			t.Errorf("%s: predictor %d without compression", kind, got)
		}
	}
}
