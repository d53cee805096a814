package http

import (
	"net/url"
	"strconv"
	"strings"

	"tileserver/display"
	"tileserver/display/expression"
	"tileserver/display/terrain"
	"tileserver/layer"
	"tileserver/nearest"
)

// styleNames are the parameters of styles and encodings.
var styleNames = [...]string{
	"style", "bidx", "bands", "expression", "unscale", "complex", "algorithm", "algorithm_params", "rescale", "stretch", "statistics",
	"color_formula", "colormap_name", "colormap", "colormap_type", "background", "depth", "nodata", "resampling",
	"quality", "subsampling", "lossless",
}

const maxQuality = 100

// encoding returns the encoding options of pictures.
func (p *parameters) encoding() layer.Encoding {
	return layer.Encoding{
		Quality:    p.integer("quality", 0, 1, maxQuality),
		FullChroma: p.choice("subsampling", "420", "444") == "444",
		Lossless:   p.boolean("lossless"),
	}
}

// unmasked reports whether an array omits its mask band. Other formats have no such band: they
// store validity otherwise, or have a background.
func (p *parameters) unmasked(format layer.Format) bool {
	isUnmasked := p.text("return_mask") != "" && !p.boolean("return_mask")
	if isUnmasked && format != layer.NPY {
		p.reject("unsupported parameter return_mask: only npy has the mask as a band")
	}
	return isUnmasked
}

// style returns s with the changes of the query.
func (p *parameters) style(s layer.Style) layer.Style {
	p.overrideBands(&s)
	p.overrideRelief(&s)
	p.overrideRange(&s)
	p.overrideColors(&s)
	if text := p.text("unscale"); text != "" {
		s.Unscale = p.boolean("unscale")
	}
	if text := p.text("complex"); text != "" {
		s.Amplitudes = p.choice("complex", "quarter_power", "magnitude") == "magnitude"
	}
	if text := p.text("depth"); text != "" {
		s.Deep = p.choice("depth", "8", "16") == "16"
	}
	if text := p.text("nodata"); strings.EqualFold(text, "nan") {
		s.NoData = nil // NaN is always nodata
	} else if text != "" {
		v, ok := finiteNumber(text)
		if !ok {
			p.reject("nodata must be a finite number or nan, not %q", text)
		}
		s.NoData = &v
	}
	if text := p.text("resampling"); text != "" {
		r, err := layer.ParseResampling(text)
		if err != nil {
			p.reject("resampling: %v", err)
		}
		s.Resampling = r
	}
	return s
}

// overrideBands replaces the bands, or computes an expression of them. It removes settings of the
// style that apply to its own bands only.
func (p *parameters) overrideBands(s *layer.Style) {
	bands, names, expressionText := p.bands(), p.bandNames(), p.text("expression")
	given := 0
	for _, is := range []bool{bands != nil, names != nil, expressionText != ""} {
		if is {
			given++
		}
	}
	if expressionText != "" {
		if _, err := expression.Parse(expressionText); err != nil {
			p.reject("%v%s", err, hintOfBlanks(expressionText))
			return
		}
	}
	switch {
	case given == 0:
		return
	case given > 1:
		p.reject("bidx, bands and expression exclude each other")
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
	for _, text := range p.texts("bands") {
		names = append(names, strings.Split(text, ",")...)
	}
	if len(names) > maxValues {
		p.reject("bands has more than %d names", maxValues)
		return nil
	}
	return names
}

// noAlgorithm turns off the terrain algorithm of a style.
const noAlgorithm = "none"

// overrideRelief replaces the terrain algorithm. It removes settings of the style that apply to the
// output of its own algorithm, unless both algorithms show the heights in colors.
func (p *parameters) overrideRelief(s *layer.Style) {
	name, text := p.text("algorithm"), p.text("algorithm_params")
	switch {
	case name == "" && text == "":
		return
	case name == "" && s.Relief == nil:
		p.reject("algorithm_params need an algorithm")
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
			p.reject("algorithm_params need an algorithm, not %q", name)
		}
		return nil, text == ""
	}
	mode, err := terrain.ParseMode(name)
	if err != nil {
		names := append(terrain.ModeNames(), noAlgorithm)
		p.reject("algorithm: %.64q is not one of %s%s", name, strings.Join(names, ", "), nearest.Hint(name, names))
		return nil, false
	}
	parameters, err := terrain.ParseParameters(mode, []byte(text))
	if err != nil {
		p.reject("algorithm_params: %s", withoutPrefix(terrain.ErrParameters, err))
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
	for _, text := range p.texts("bidx") {
		for part := range strings.SplitSeq(text, ",") {
			band, err := strconv.Atoi(part)
			if err != nil || band < 1 {
				p.reject("bidx must be numbers of bands, from 1, not %q", text)
				return nil
			}
			if bands = append(bands, band-1); len(bands) > maxValues {
				p.reject("bidx has more than %d bands", maxValues)
				return nil
			}
		}
	}
	return bands
}

// styleQuery returns the style parameters of the query, for links.
func (p *parameters) styleQuery() url.Values {
	style := make(url.Values)
	for _, name := range styleNames {
		if texts := p.texts(name); len(texts) > 0 {
			style[name] = texts
		}
	}
	return style
}
