package terrain

import (
	"fmt"
	"math"
)

// Encoding writes heights as 24-bit numbers, red the highest byte: Base is 0 and each step is an Interval more.
type Encoding struct {
	Base, Interval float64

	// MissingHeight is written for pixels without height if HasMissingHeight is set, else three zero bytes are.
	HasMissingHeight bool
	MissingHeight    float64
}

// MapboxTerrainRGB is the encoding of Mapbox: -10000 + 0.1 (65536 red + 256 green + blue).
func MapboxTerrainRGB() Encoding { return Encoding{Base: -10000, Interval: 0.1} }

// Terrarium is the encoding of Mapzen: 256 red + green + blue/256 - 32768.
func Terrarium() Encoding { return Encoding{Base: -32768, Interval: 1. / 256} }

const largestCode = 1<<24 - 1

// Height is the height that a colour stands for.
func (e Encoding) Height(red, green, blue uint8) float64 {
	return e.Base + float64(float64(uint32(red)<<16|uint32(green)<<8|uint32(blue))*e.Interval)
}

// Encode writes the heights, rounded to the nearest step and clamped to the first or the last, into the first three
// bytes of each pixel. The other bytes of a pixel are left alone: it is not for this package to say how opaque it is.
// There is no halo here, and coverage is that of a Grid.
func (e Encoding) Encode(dst []uint8, bytesPerPixel int, heights []float32, coverage []uint8) error {
	if err := e.validate(); err != nil {
		return err
	}
	if bytesPerPixel < 3 || bytesPerPixel > 4 || len(dst)/bytesPerPixel != len(heights) || len(dst)%bytesPerPixel != 0 {
		return fmt.Errorf("%w: %d bytes for %d heights of %d bytes each", ErrGrid, len(dst), len(heights), bytesPerPixel)
	}
	if coverage != nil && len(coverage) != len(heights) {
		return fmt.Errorf("%w: coverage of %d pixels for %d heights", ErrGrid, len(coverage), len(heights))
	}
	var missing uint32
	if e.HasMissingHeight {
		missing = e.code(e.MissingHeight)
	}
	for i, height := range heights {
		code := missing
		if coverage == nil || coverage[i] != 0 {
			code = e.code(float64(height))
		}
		pixel := dst[i*bytesPerPixel:][:3:3]
		pixel[0], pixel[1], pixel[2] = uint8(code>>16), uint8(code>>8), uint8(code)
	}
	return nil
}

// code takes what is no number for the lowest height.
func (e Encoding) code(height float64) uint32 {
	steps := (height - e.Base) / e.Interval
	if !(steps > 0) {
		return 0
	}
	return uint32(math.Floor(min(steps, largestCode) + 0.5))
}

func (e Encoding) validate() error {
	if err := validateRange("baseval", e.Base, -maxHeight, maxHeight); err != nil {
		return err
	}
	if err := validateRange("interval", e.Interval, minInterval, maxHeight); err != nil {
		return err
	}
	if !e.HasMissingHeight {
		return nil
	}
	return validateRange("nodata_height", e.MissingHeight, -maxHeight, maxHeight)
}
