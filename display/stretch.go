package display

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// StretchKind is the way in which a stretch finds black and white.
type StretchKind uint8

const (
	// Automatic shows unsigned 8-bit samples as they are and stretches all others by
	// DynamicRange.
	Automatic StretchKind = iota
	// NoStretch shows samples as they are stored, clamped to 0 to 255.
	NoStretch
	// MinMax stretches from the smallest valid sample to the largest.
	MinMax
	// Percentile stretches from one percentile to another.
	Percentile
	// DynamicRange stretches between the percentiles 2 and 98, extended by 0.2 of their distance
	// below and 0.4 above, within the smallest and the largest sample.
	DynamicRange
	// Deviations stretches some standard deviations to both sides of the mean, within the
	// smallest and the largest sample.
	Deviations
	// PerTile is DynamicRange with the statistics of the rendered tile alone. Each picture shows
	// the most detail, but neighboring pictures do not match.
	PerTile

	stretchKinds
)

// A Stretch derives the samples that are black and white from the statistics of a band.
type Stretch struct {
	Kind      StretchKind
	Low, High float64 // percentiles, for Percentile
	Count     float64 // of standard deviations, for Deviations
}

// Defaults for a stretch that is written without numbers.
const (
	defaultLowPercentile  = 2
	defaultHighPercentile = 98
	defaultDeviations     = 2
)

// ParseStretch parses auto, none, minmax, percentile:2,98, dra, stddev:2 or tile. The numbers
// are optional.
func ParseStretch(text string) (Stretch, error) {
	name, numbers, hasNumbers := strings.Cut(text, ":")
	var s Stretch
	var err error
	switch name {
	case "percentile":
		s = Stretch{Kind: Percentile, Low: defaultLowPercentile, High: defaultHighPercentile}
		if hasNumbers {
			s.Low, s.High, err = parsePair(numbers)
		}
	case "stddev":
		s = Stretch{Kind: Deviations, Count: defaultDeviations}
		if hasNumbers {
			s.Count, err = parseNumber(numbers)
		}
	default:
		if s.Kind, err = parseKind(name); err == nil && hasNumbers {
			err = fmt.Errorf("%s takes no numbers", name)
		}
	}
	if err != nil {
		return Stretch{}, invalid("stretch %q: %v", text, err)
	}
	if err := s.validate(); err != nil {
		return Stretch{}, err
	}
	return s, nil
}

func parseKind(name string) (StretchKind, error) {
	switch name {
	case "", "auto":
		return Automatic, nil
	case "none":
		return NoStretch, nil
	case "minmax":
		return MinMax, nil
	case "dra":
		return DynamicRange, nil
	case "tile":
		return PerTile, nil
	}
	return Automatic, errors.New("use auto, none, minmax, percentile:2,98, dra, stddev:2 or tile")
}

func parsePair(text string) (low, high float64, err error) {
	first, second, ok := strings.Cut(text, ",")
	if !ok {
		return 0, 0, errors.New("two numbers are needed, as in 2,98")
	}
	if low, err = parseNumber(first); err != nil {
		return 0, 0, err
	}
	high, err = parseNumber(second)
	return low, high, err
}

func parseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

// String returns the form that ParseStretch reads. Equal stretches have equal strings.
func (s Stretch) String() string {
	switch s.Kind {
	case Automatic:
		return "auto"
	case NoStretch:
		return "none"
	case MinMax:
		return "minmax"
	case Percentile:
		return "percentile:" + number(s.Low) + "," + number(s.High)
	case DynamicRange:
		return "dra"
	case Deviations:
		return "stddev:" + number(s.Count)
	case PerTile:
		return "tile"
	}
	return fmt.Sprintf("stretch(%d)", uint8(s.Kind))
}

// number formats v so that different numbers have different texts. Both zeros are "0".
func number(v float64) string {
	if v == 0 {
		v = 0
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func (s Stretch) validate() error {
	switch {
	case s.Kind >= stretchKinds:
		return invalid("unknown %v", s)
	case s.Kind == Percentile && !(0 <= s.Low && s.Low < s.High && s.High <= 100):
		return invalid("percentiles must ascend from 0 to 100, not %v,%v", s.Low, s.High)
	case s.Kind == Deviations && !(s.Count > 0 && isFinite(s.Count)):
		return invalid("the number of standard deviations must be above 0, not %v", s.Count)
	}
	return nil
}

// needsStatistics reports whether black and white depend on statistics of the dataset.
func (s Stretch) needsStatistics() bool { return s.Kind > NoStretch && s.Kind != PerTile }

// canonical returns s without numbers that its kind does not use.
func (s Stretch) canonical() Stretch {
	switch s.Kind {
	case Percentile:
		return Stretch{Kind: s.Kind, Low: s.Low, High: s.High}
	case Deviations:
		return Stretch{Kind: s.Kind, Count: s.Count}
	}
	return Stretch{Kind: s.Kind}
}
