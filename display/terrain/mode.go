package terrain

import (
	"fmt"
	"strings"
)

// Mode is an algorithm on heights.
type Mode uint8

const (
	ModeHillshade Mode = iota
	ModeMultiHillshade
	ModeRelief // a hillshade that lights colors
	ModeSlope
	ModeAspect
	ModeContours
	ModeTerrainRGB
	ModeTerrarium
)

var modeNames = [...]string{"hillshade", "multihillshade", "relief", "slope", "aspect", "contours", "terrainrgb", "terrarium"}

func (m Mode) String() string {
	if int(m) >= len(modeNames) {
		return fmt.Sprintf("mode %d", uint8(m))
	}
	return modeNames[m]
}

// ModeNames returns the names of all modes.
func ModeNames() []string { return modeNames[:] }

// ParseMode returns the mode with a name in lower case.
func ParseMode(name string) (Mode, error) {
	for i, known := range modeNames {
		if name == known {
			return Mode(i), nil
		}
	}
	return 0, fmt.Errorf("%w: %.32q is not one of %s", ErrParameters, name, strings.Join(modeNames[:], ", "))
}

// Halo returns how many pixels around a picture the mode needs.
func (m Mode) Halo() int {
	if m == ModeTerrainRGB || m == ModeTerrarium {
		return 0
	}
	return 1
}

// Output is the kind of result of a mode.
type Output uint8

const (
	OutputGray   Output = iota // bytes, by Parameters.Gray
	OutputValues               // float32, by Parameters.Values
	OutputColor                // three bytes per pixel, by Parameters.Encoding.Encode
)

// Output returns the kind of result of the mode.
func (m Mode) Output() Output {
	switch m {
	case ModeSlope, ModeAspect:
		return OutputValues
	case ModeTerrainRGB, ModeTerrarium:
		return OutputColor
	default:
		return OutputGray
	}
}
