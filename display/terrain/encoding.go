package terrain

import (
	"fmt"
	"math"
)

// An Encoding writes heights as 24-bit numbers with red as the highest byte. Number 0 is Base, and
// each step adds Interval.
type Encoding struct {
	Base, Interval float64

	// MissingHeight is written for pixels without height if HasMissingHeight is set. Otherwise they
	// are 0.
	HasMissingHeight bool
	MissingHeight    float64
}

// MapboxTerrainRGB returns the encoding of Mapbox: -10000 + 0.1 (65536 red + 256 green + blue).
func MapboxTerrainRGB() Encoding { return Encoding{Base: -10000, Interval: 0.1} }

// Terrarium returns the encoding of Mapzen: 256 red + green + blue/256 - 32768.
func Terrarium() Encoding { return Encoding{Base: -32768, Interval: 1. / 256} }

const maxCode = 1<<24 - 1

// Height returns the height that a color encodes.
func (e Encoding) Height(red, green, blue uint8) float64 {
	return e.Base + float64(float64(uint32(red)<<16|uint32(green)<<8|uint32(blue))*e.Interval)
}

// Encode writes heights to the first three bytes of each pixel. It rounds them to the nearest step
// and clamps them to the range. A fourth byte is left unchanged, because opacity is the caller's.
// There is no halo; coverage is as in Grid.
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

// code returns the number for a height. NaN is 0.
func (e Encoding) code(height float64) uint32 {
	steps := (height - e.Base) / e.Interval
	if !(steps > 0) {
		return 0
	}
	return uint32(math.Floor(min(steps, maxCode) + 0.5))
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
