//go:build (!amd64 && !arm64) || purego

package resample

import "tileserver/raster"

// interpolateFours does nothing on platforms without assembly.
func interpolateFours[T raster.Sample]([]T, int, *Row, []T) int { return 0 }

// convolveRowFast does nothing on platforms without assembly.
func convolveRowFast[T raster.Sample](*convolution, []T, *Row, []float64) bool { return false }
