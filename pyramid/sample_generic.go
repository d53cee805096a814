//go:build !amd64 || purego

package pyramid

import "tileserver/raster"

// interpolateFours does nothing on platforms without assembly.
func interpolateFours[T raster.Sample]([]T, int, *geometry, []T) int { return 0 }

// convolveRowFast does nothing on platforms without assembly.
func convolveRowFast[T raster.Sample](*convolution, []T, *geometry, []float64) bool { return false }
