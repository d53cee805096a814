package style

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"tileserver/display"
	"tileserver/display/colormap"
	"tileserver/pyramid/resample"
	"tileserver/raster"
)

// Values returns a style as parameters: Parse makes the same style of them.
func Values(s Style) url.Values {
	values := make(url.Values)
	for i := range parameters {
		if own := &parameters[i]; own.texts != nil {
			if texts := own.texts(&s); texts != nil {
				values[own.Name] = texts
			}
		}
	}
	return values
}

// textIf returns a single value if a parameter is given.
func textIf(given bool, text string) []string {
	if !given {
		return nil
	}
	return []string{text}
}

func bidxOf(s *Style) []string {
	numbers := make([]string, len(s.Bands))
	for i, band := range s.Bands {
		numbers[i] = strconv.Itoa(band + 1)
	}
	return textIf(len(numbers) > 0, strings.Join(numbers, ","))
}

func bandsOf(s *Style) []string { return textIf(len(s.BandNames) > 0, strings.Join(s.BandNames, ",")) }

func expressionOf(s *Style) []string {
	if s.Expression == nil {
		return nil
	}
	return []string{s.Expression.String()}
}

func unscaleOf(s *Style) []string { return textIf(s.Unscale, "true") }

func complexOf(s *Style) []string { return textIf(s.Amplitudes, magnitude) }

func algorithmOf(s *Style) []string {
	if s.Relief == nil {
		return nil
	}
	return []string{s.Relief.Mode.String()}
}

func algorithmParamsOf(s *Style) []string {
	if s.Relief == nil {
		return nil
	}
	return []string{s.Relief.JSON()}
}

func rescaleOf(s *Style) (texts []string) {
	for _, limits := range s.Rescale {
		texts = append(texts, number(limits.Low)+","+number(limits.High))
	}
	return texts
}

func stretchOf(s *Style) []string { return textIf(s.Stretch != display.Stretch{}, s.Stretch.String()) }

func statisticsOf(s *Style) []string { return textIf(s.StoredStatistics, statisticsOfFile) }

// identityFormula is a formula that changes nothing, whose own text is empty.
const identityFormula = "saturation 1"

func colorFormulaOf(s *Style) []string {
	switch {
	case s.Formula == nil:
		return nil
	case s.Formula.IsIdentity():
		return []string{identityFormula}
	}
	return []string{s.Formula.String()}
}

func colormapNameOf(s *Style) []string { return textIf(s.ColorMap != "", s.ColorMap) }

func colormapOf(s *Style) []string {
	if s.Colors == nil {
		return nil
	}
	return []string{s.Colors.JSON()}
}

func backgroundOf(s *Style) []string {
	return textIf(s.Background != raster.RGBA{}, colormap.Color(s.Background).String())
}

func depthOf(s *Style) []string { return textIf(s.Deep, deepDepth) }

func nodataOf(s *Style) []string {
	if s.NoData == nil || math.IsNaN(*s.NoData) {
		return nil
	}
	return []string{number(*s.NoData)}
}

func resamplingOf(s *Style) []string {
	return textIf(s.Resampling != resample.Bilinear, s.Resampling.String())
}

// number formats a number with all its digits.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
