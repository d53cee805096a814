package request

import (
	"net/url"
	"slices"

	"tileserver/layer"
	"tileserver/style"
)

// styleNames are the parameters of styles and encodings.
var styleNames = slices.Concat([]string{"style"}, style.Names(), []string{"quality", "subsampling", "lossless"})

// StyleQuery returns the style parameters of the query, for links.
func (p *Parameters) StyleQuery() url.Values {
	shown := make(url.Values)
	for _, name := range styleNames {
		if texts := p.Texts(name); len(texts) > 0 {
			shown[name] = texts
		}
	}
	return shown
}

// Style returns base with the changes of the query.
func (p *Parameters) Style(base style.Style) style.Style { return style.Read(&p.Parameters, base) }

// DataStyle returns the style that selects data: all bands of the layer instead of the displayed
// ones, unless the query selects some.
func (p *Parameters) DataStyle(l *layer.Layer) (style.Style, error) {
	base, err := l.Style(p.Text("style"))
	if err != nil {
		return base, err
	}
	if p.Text("style") == "" {
		base.Bands, base.BandNames, base.Expression = nil, nil, nil
	}
	changed := p.Style(base)
	return changed, p.Err
}
