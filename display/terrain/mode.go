package terrain

import (
	"fmt"
	"strings"
)

// Mode is what to make of heights.
type Mode uint8

const (
	ModeHillshade Mode = iota
	ModeMultiHillshade
	ModeRelief // a hillshade for colors to lie under
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

// ModeNames are the names of all modes.
func ModeNames() []string { return modeNames[:] }

// ParseMode finds a mode by its name, in lower case.
func ParseMode(name string) (Mode, error) {
	for i, known := range modeNames {
		if name == known {
			return Mode(i), nil
		}
	}
	return 0, fmt.Errorf("%w: %.32q is not one of %s", ErrParameters, name, strings.Join(modeNames[:], ", "))
}

// Halo is how many pixels around a picture the mode looks at.
func (m Mode) Halo() int {
	if m == ModeTerrainRGB || m == ModeTerrarium {
		return 0
	}
	return 1
}

// Output is the kind of a result.
type Output uint8

const (
	OutputGray   Output = iota // bytes, by Parameters.Gray
	OutputValues               // float32, by Parameters.Values
	OutputColor                // three bytes a pixel, by Parameters.Encoding.Encode
)

// Output tells what the mode makes.
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
