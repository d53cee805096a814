package http

import (
	"slices"
	"strings"
)

// foreignParameter is a parameter of another tile server that changes its response. A route that
// does not support it rejects it, because ignoring it would give a wrong response without notice.
// Names that no known server defines are ignored.
type foreignParameter struct {
	name     string
	instead  string   // what to do; completes "unsupported parameter …: "
	harmless []string // values that request the default behavior
}

// foreignParameters are parameters of TiTiler and a few synonyms. Some routes support some of them.
var foreignParameters = [...]foreignParameter{
	{name: "bbox", instead: "view.EXT shows a bbox"},
	{name: "coord_crs", instead: "supported by view.EXT and point"},
	{name: "coord-crs", instead: "use coord_crs"},
	{name: "dst_crs", instead: "supported by view.EXT; tiles are in the system of their tile matrix set"},
	{name: "dst-crs", instead: "use dst_crs"},
	{name: "max_size", instead: "supported by view.EXT and preview.EXT"},
	{name: "width", instead: "supported by view.EXT and preview.EXT; for tiles use tilesize"},
	{name: "height", instead: "supported by view.EXT and preview.EXT; for tiles use tilesize"},
	{name: "tilesize", instead: "supported by XYZ tiles and tilejson.json"},
	{name: "tile_scale", instead: "use tilesize, or @2x after the row"},
	{name: "tile_format", instead: "use format"},
	{name: "buffer", instead: "use a view of a larger bbox", harmless: []string{"0", "0.0"}},
	{name: "padding", instead: "tiles join without padding", harmless: []string{"0"}},
	{name: "reproject", instead: "resampling applies to reprojection, too"},
	{name: "resampling_method", instead: "use resampling"},
	{name: "return_mask", instead: "supported by views, previews and tiles in the format npy", harmless: []string{"true", "1", "yes", "on"}},
	{name: "histogram_range", instead: "histograms range from the minimum to the maximum"},
	{name: "p", instead: "statistics have the percentiles 2, 50 and 98", harmless: []string{"2", "98"}},
	{name: "categorical", instead: "use the histogram", harmless: []string{"false", "0", "no", "off"}},
	{name: "c", instead: "use the histogram"},
	{name: "url", instead: "a layer is named in the path"},
	{name: "assets", instead: "use bidx or bands"},
	{name: "asset_bidx", instead: "use bidx or bands"},
	{name: "asset_expression", instead: "use expression"},
	{name: "pixel_selection", instead: "a layer is one file"},
}

// allow rejects parameters of other servers that are not in known, and misspelled names. Every
// route knows the parameters of styles.
func (p *parameters) allow(known ...string) *parameters {
	for _, f := range foreignParameters {
		if slices.Contains(known, f.name) {
			continue
		}
		for _, text := range p.values[f.name] {
			if text != "" && !slices.Contains(f.harmless, strings.ToLower(text)) {
				p.reject("unsupported parameter %s: %s", f.name, f.instead)
			}
		}
	}
	return p.checkSpelling(known...)
}
