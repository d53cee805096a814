package style

import (
	"strconv"
	"strings"

	"tileserver/display/expression"
	"tileserver/query"
)

// overrideBands replaces the bands, or computes an expression of them. It removes settings of the
// style that apply to its own bands only.
func (r reader) overrideBands(s *Style) {
	bands, names, computed := r.bands(), r.bandNames(), r.expression()
	given := 0
	for _, is := range []bool{bands != nil, names != nil, computed != nil} {
		if is {
			given++
		}
	}
	switch {
	case given == 0:
		return
	case given > 1:
		r.Reject("bidx, bands and expression exclude each other")
		return
	}
	s.Bands, s.BandNames, s.Expression = bands, names, computed
	if len(s.Rescale) > 1 || computed != nil {
		s.Rescale = nil
	}
	if len(bands)+len(names) > 2 || computed != nil {
		s.ColorMap, s.Colors = "", nil
	}
}

// expression parses the parameter expression, or returns nil.
func (r reader) expression() *expression.Source {
	text := r.Text("expression")
	if text == "" {
		return nil
	}
	parsed, err := expression.Parse(text)
	if err != nil {
		r.Reject("%v%s", err, hintOfBlanks(text))
		return nil
	}
	return parsed
}

// hintOfBlanks explains that a plus in a query is decoded as a blank.
func hintOfBlanks(expression string) string {
	if !strings.Contains(expression, " ") {
		return ""
	}
	return " (in an address, + is a blank and & ends a parameter: write %2B and %26)"
}

// bandNames returns the values of the parameter bands, or nil.
func (r reader) bandNames() []string {
	var names []string
	for _, text := range r.Texts("bands") {
		names = append(names, strings.Split(text, ",")...)
	}
	if len(names) > query.MaxValues {
		r.Reject("bands has more than %d names", query.MaxValues)
		return nil
	}
	return names
}

// bands returns the band indexes of bidx, converted to count from 0, or nil.
func (r reader) bands() []int {
	var bands []int
	for _, text := range r.Texts("bidx") {
		for part := range strings.SplitSeq(text, ",") {
			band, err := strconv.Atoi(part)
			if err != nil || band < 1 {
				r.Reject("bidx must be numbers of bands, from 1, not %q", text)
				return nil
			}
			if bands = append(bands, band-1); len(bands) > query.MaxValues {
				r.Reject("bidx has more than %d bands", query.MaxValues)
				return nil
			}
		}
	}
	return bands
}
