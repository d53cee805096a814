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
	{name: "coord_crs", instead: "view.EXT and point know it"},
	{name: "coord-crs", instead: "it is written coord_crs"},
	{name: "dst_crs", instead: "view.EXT knows it; tiles are in the system of their tile matrix set"},
	{name: "dst-crs", instead: "it is written dst_crs"},
	{name: "max_size", instead: "view.EXT and preview.EXT know it"},
	{name: "width", instead: "view.EXT and preview.EXT know it; tiles know tilesize"},
	{name: "height", instead: "view.EXT and preview.EXT know it; tiles know tilesize"},
	{name: "tilesize", instead: "XYZ tiles and tilejson.json know it"},
	{name: "tile_scale", instead: "use tilesize, or @2x behind the number of the row"},
	{name: "tile_format", instead: "use format"},
	{name: "buffer", instead: "a view of a larger bbox has what lies around a tile", harmless: []string{"0", "0.0"}},
	{name: "padding", instead: "tiles join without it", harmless: []string{"0"}},
	{name: "reproject", instead: "resampling is for reprojecting, too"},
	{name: "resampling_method", instead: "use resampling"},
	{name: "return_mask", instead: "views, previews and tiles as npy know it", harmless: []string{"true", "1", "yes", "on"}},
	{name: "histogram_range", instead: "histograms go from the least value to the greatest"},
	{name: "p", instead: "statistics are told with the percentiles 2, 50 and 98", harmless: []string{"2", "98"}},
	{name: "categorical", instead: "values are counted in a histogram", harmless: []string{"false", "0", "no", "off"}},
	{name: "c", instead: "values are counted in a histogram"},
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
