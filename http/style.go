package http

import (
	"net/url"
	"strconv"
	"strings"

	"tileserver/display"
	"tileserver/layer"
)

// styleNames are the parameters that say how a picture looks.
var styleNames = [...]string{"bidx", "rescale", "colormap_name", "nodata", "resampling", "stretch", "quality"}

const maxQuality = 100

// quality is of JPEG and WebP; 0 is the encoder's own.
func (p *parameters) quality() int { return p.integer("quality", 0, 1, maxQuality) }

// style is the style of a layer, with what the query says otherwise.
func (p *parameters) style(s layer.Style) layer.Style {
	p.overrideBands(&s)
	p.overrideRange(&s)
	if text := p.text("nodata"); strings.EqualFold(text, "nan") {
		s.NoData = nil // NaN is no data anyhow
	} else if text != "" {
		v, ok := finiteNumber(text)
		if !ok {
			p.refuse("nodata must be a finite number or nan, not %q", text)
		}
		s.NoData = &v
	}
	if text := p.text("resampling"); text != "" {
		r, err := layer.ParseResampling(text)
		if err != nil {
			p.refuse("resampling: %v", err)
		}
		s.Resampling = r
	}
	return s
}

// overrideBands takes other bands or colours. What the layer's style says for
// each of its own bands is not meant for others.
func (p *parameters) overrideBands(s *layer.Style) {
	bands, colorMap := p.bands(), p.text("colormap_name")
	if bands == nil && colorMap != "" && len(s.Bands) > 1 {
		bands = s.Bands[:1]
	}
	if bands != nil {
		s.Bands = bands
		if len(s.Rescale) > 1 {
			s.Rescale = nil
		}
		if len(bands) > 2 {
			s.ColorMap = ""
		}
	}
	if colorMap != "" {
		s.ColorMap = colorMap
	}
}

// bands are the values of bidx, which count from 1, or nil.
func (p *parameters) bands() []int {
	var bands []int
	for _, text := range p.texts("bidx") {
		for part := range strings.SplitSeq(text, ",") {
			band, err := strconv.Atoi(part)
			if err != nil || band < 1 {
				p.refuse("bidx must be numbers of bands, from 1, not %q", text)
				return nil
			}
			if bands = append(bands, band-1); len(bands) > maxValues {
				p.refuse("bidx has more than %d bands", maxValues)
				return nil
			}
		}
	}
	return bands
}

// overrideRange takes other samples for black and white. A rescale and a stretch
// replace each other.
func (p *parameters) overrideRange(s *layer.Style) {
	ranges, stretch := p.ranges(), p.text("stretch")
	switch {
	case ranges != nil && stretch != "":
		p.refuse("rescale and stretch exclude each other")
	case ranges != nil:
		s.Rescale, s.Stretch = ranges, display.Stretch{}
	case stretch != "":
		parsed, err := display.ParseStretch(stretch)
		if err != nil {
			p.refuse("%v", err)
		}
		s.Rescale, s.Stretch = nil, parsed
	}
}

func (p *parameters) ranges() []display.Range {
	var ranges []display.Range
	for _, text := range p.texts("rescale") {
		limits := p.numbers("rescale", text, 2)
		if limits == nil {
			return nil
		}
		ranges = append(ranges, display.Range{Low: limits[0], High: limits[1]})
	}
	return ranges
}

// styleQuery is what the query says of the style, to be handed on.
func (p *parameters) styleQuery() string {
	style := make(url.Values)
	for _, name := range styleNames {
		if texts := p.texts(name); len(texts) > 0 {
			style[name] = texts
		}
	}
	return style.Encode()
}
