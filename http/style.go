package http

import (
	"net/url"

	"tileserver/style"
)

// styleNames are the parameters of styles and encodings.
var styleNames = [...]string{
	"style", "bidx", "bands", "expression", "unscale", "complex", "algorithm", "algorithm_params", "rescale", "stretch", "statistics",
	"color_formula", "colormap_name", "colormap", "colormap_type", "background", "depth", "nodata", "resampling",
	"quality", "subsampling", "lossless",
}

// styleQuery returns the style parameters of the query, for links.
func (p *parameters) styleQuery() url.Values {
	shown := make(url.Values)
	for _, name := range styleNames {
		if texts := p.Texts(name); len(texts) > 0 {
			shown[name] = texts
		}
	}
	return shown
}

// style returns base with the changes of the query.
func (p *parameters) style(base style.Style) style.Style { return style.Read(&p.Parameters, base) }
