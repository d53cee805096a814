package style

import (
	"net/url"
	"strconv"
	"strings"

	"tileserver/display"
	"tileserver/display/expression"
	"tileserver/display/terrain"
	"tileserver/nearest"
	"tileserver/pyramid/resample"
	"tileserver/query"
)

// parameters reads the parameters of a style.
type parameters struct{ *query.Parameters }

// Parse returns base with the changes of parameters.
func Parse(values url.Values, base Style) (Style, error) {
	p := query.Parameters{Values: values}
	changed := Read(&p, base)
	return changed, p.Err
}

// Read returns base with the changes of a query.
func Read(q *query.Parameters, base Style) Style {
	p, s := &parameters{q}, base
	p.overrideBands(&s)
	p.overrideRelief(&s)
	p.overrideRange(&s)
	p.overrideColors(&s)
	if text := p.Text("unscale"); text != "" {
		s.Unscale = p.Boolean("unscale")
	}
	if text := p.Text("complex"); text != "" {
		s.Amplitudes = p.Choice("complex", "quarter_power", "magnitude") == "magnitude"
	}
	if text := p.Text("depth"); text != "" {
		s.Deep = p.Choice("depth", "8", "16") == "16"
	}
	if text := p.Text("nodata"); strings.EqualFold(text, "nan") {
		s.NoData = nil // NaN is always nodata
	} else if text != "" {
		v, ok := query.Finite(text)
		if !ok {
			p.Reject("nodata must be a finite number or nan, not %q", text)
		}
		s.NoData = &v
	}
	if text := p.Text("resampling"); text != "" {
		r, err := resample.ParseMethod(text)
		if err != nil {
			p.Reject("resampling: %v", err)
		}
		s.Resampling = r
	}
	return s
}

// overrideBands replaces the bands, or computes an expression of them. It removes settings of the
// style that apply to its own bands only.
func (p *parameters) overrideBands(s *Style) {
	bands, names, expressionText := p.bands(), p.bandNames(), p.Text("expression")
	given := 0
	for _, is := range []bool{bands != nil, names != nil, expressionText != ""} {
		if is {
			given++
		}
	}
	if expressionText != "" {
		if _, err := expression.Parse(expressionText); err != nil {
			p.Reject("%v%s", err, hintOfBlanks(expressionText))
			return
		}
	}
	switch {
	case given == 0:
		return
	case given > 1:
		p.Reject("bidx, bands and expression exclude each other")
		return
	}
	s.Bands, s.BandNames, s.Expression = bands, names, expressionText
	if len(s.Rescale) > 1 || expressionText != "" {
		s.Rescale = nil
	}
	if len(bands)+len(names) > 2 || expressionText != "" {
		s.ColorMap, s.Colors = "", nil
	}
}

// hintOfBlanks explains that a plus in a query is decoded as a blank.
func hintOfBlanks(expression string) string {
	if !strings.Contains(expression, " ") {
		return ""
	}
	return " (in an address, + is a blank and & ends a parameter: write %2B and %26)"
}

// bandNames returns the values of the parameter bands, or nil.
func (p *parameters) bandNames() []string {
	var names []string
	for _, text := range p.Texts("bands") {
		names = append(names, strings.Split(text, ",")...)
	}
	if len(names) > query.MaxValues {
		p.Reject("bands has more than %d names", query.MaxValues)
		return nil
	}
	return names
}

// noAlgorithm turns off the terrain algorithm of a style.
const noAlgorithm = "none"

// overrideRelief replaces the terrain algorithm. It removes settings of the style that apply to the
// output of its own algorithm, unless both algorithms show the heights in colors.
func (p *parameters) overrideRelief(s *Style) {
	name, text := p.Text("algorithm"), p.Text("algorithm_params")
	switch {
	case name == "" && text == "":
		return
	case name == "" && s.Relief == nil:
		p.Reject("algorithm_params need an algorithm")
		return
	case name == "":
		name = s.Relief.Mode.String()
	}
	relief, ok := p.relief(name, text)
	if !ok {
		return
	}
	before := s.Relief
	s.Relief = relief
	if before != nil && relief != nil && before.Mode == relief.Mode {
		return
	}
	if !showsHeights(before) || !showsHeights(relief) {
		s.Rescale, s.Stretch, s.ColorMap, s.Colors, s.Formula = nil, display.Stretch{}, "", nil, nil
	}
}

// relief parses an algorithm and its parameters; nil is none.
func (p *parameters) relief(name, text string) (relief *terrain.Parameters, ok bool) {
	if name == noAlgorithm {
		if text != "" {
			p.Reject("algorithm_params need an algorithm, not %q", name)
		}
		return nil, text == ""
	}
	mode, err := terrain.ParseMode(name)
	if err != nil {
		names := append(terrain.ModeNames(), noAlgorithm)
		p.Reject("algorithm: %.64q is not one of %s%s", name, strings.Join(names, ", "), nearest.Hint(name, names))
		return nil, false
	}
	parameters, err := terrain.ParseParameters(mode, []byte(text))
	if err != nil {
		p.Reject("algorithm_params: %s", withoutPrefix(terrain.ErrParameters, err))
		return nil, false
	}
	return &parameters, true
}

// showsHeights reports whether pictures show the heights themselves, with or without shading.
func showsHeights(relief *terrain.Parameters) bool {
	return relief == nil || relief.Mode == terrain.ModeRelief
}

// bands returns the band indexes of bidx, converted to count from 0, or nil.
func (p *parameters) bands() []int {
	var bands []int
	for _, text := range p.Texts("bidx") {
		for part := range strings.SplitSeq(text, ",") {
			band, err := strconv.Atoi(part)
			if err != nil || band < 1 {
				p.Reject("bidx must be numbers of bands, from 1, not %q", text)
				return nil
			}
			if bands = append(bands, band-1); len(bands) > query.MaxValues {
				p.Reject("bidx has more than %d bands", query.MaxValues)
				return nil
			}
		}
	}
	return bands
}

// withoutPrefix returns the text of an error without the text of kind at its beginning. The message
// names the parameter already.
func withoutPrefix(kind, err error) string { return strings.TrimPrefix(err.Error(), kind.Error()+": ") }
