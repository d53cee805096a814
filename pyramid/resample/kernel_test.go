package resample

import "testing"

// A scale of exactly 2 is computed as slightly more on one processor and slightly less on another.
// The kernel must be the same.
func TestKernelsDoNotDependOnRounding(t *testing.T) {
	for _, r := range []Method{Bilinear, Cubic, Lanczos, Average} {
		for _, scale := range []float64{1.5, 2, 3, 4, 16} {
			for _, noise := range []float64{-1e-9, 0, 1e-9} {
				if got, want := r.Kernel(scale+noise).stretch, r.Kernel(scale).stretch; got != want {
					t.Errorf("%v at a scale of %v%+v: stretched by %v, want %v", r, scale, noise, got, want)
				}
			}
			if k := Cubic.Kernel(scale * 1.001); k.stretch < scale*1.001 {
				t.Errorf("at a scale of %v, the kernel is stretched by %v only", scale*1.001, k.stretch)
			}
		}
	}
}
