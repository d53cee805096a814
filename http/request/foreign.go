package request

import (
	"slices"
	"strings"
)

// foreignParameter is a parameter of another tile server that changes its response. A route that
// does not support it rejects it, because ignoring it would give a wrong response without notice.
// Names that no known server defines are ignored.
type foreignParameter struct {
	name     string
	advice   string   // what to do; completes "unsupported parameter …: "
	harmless []string // values that request the default behavior
}

// foreignParameters are parameters of TiTiler and a few synonyms. Some routes support some of them.
var foreignParameters = [...]foreignParameter{
	{name: "bbox", advice: "view.EXT shows a bbox"},
	{name: "coord_crs", advice: "supported by view.EXT and point"},
	{name: "coord-crs", advice: "use coord_crs"},
	{name: "dst_crs", advice: "supported by view.EXT; tiles are in the system of their tile matrix set"},
	{name: "dst-crs", advice: "use dst_crs"},
	{name: "max_size", advice: "supported by view.EXT and preview.EXT"},
	{name: "width", advice: "supported by view.EXT and preview.EXT; for tiles use tilesize"},
	{name: "height", advice: "supported by view.EXT and preview.EXT; for tiles use tilesize"},
	{name: "tilesize", advice: "supported by XYZ tiles and tilejson.json"},
	{name: "tile_scale", advice: "use tilesize, or @2x after the row"},
	{name: "tile_format", advice: "use format"},
	{name: "buffer", advice: "use a view of a larger bbox", harmless: []string{"0", "0.0"}},
	{name: "padding", advice: "tiles join without padding", harmless: []string{"0"}},
	{name: "reproject", advice: "resampling applies to reprojection, too"},
	{name: "resampling_method", advice: "use resampling"},
	{name: "return_mask", advice: "supported by views, previews and tiles in the format npy", harmless: []string{"true", "1", "yes", "on"}},
	{name: "histogram_range", advice: "histograms range from the minimum to the maximum"},
	{name: "p", advice: "statistics have the percentiles 2, 50 and 98", harmless: []string{"2", "98"}},
	{name: "categorical", advice: "use the histogram", harmless: []string{"false", "0", "no", "off"}},
	{name: "c", advice: "use the histogram"},
	{name: "reproject_method", advice: "use resampling"},
	{name: "TileMatrixSetId", advice: "tiles name the tile matrix set in the path; for tilejson.json use tms"},
	{name: "url", advice: "a layer is named in the path"},
	{name: "assets", advice: "use bidx or bands"},
	{name: "asset_bidx", advice: "use bidx or bands"},
	{name: "asset_expression", advice: "use expression"},
	{name: "pixel_selection", advice: "a layer is one file"},
}

// Allow rejects parameters of other servers that are not in known, and misspelled names. Every
// route knows the parameters of styles.
func (p *Parameters) Allow(known ...string) *Parameters {
	for _, f := range foreignParameters {
		if !slices.Contains(known, f.name) {
			p.RejectUnsupported(f.name, f.advice, f.harmless...)
		}
	}
	return p.CheckSpelling(known...)
}

// RejectUnsupported rejects a parameter, unless its value is empty or harmless. The advice says what
// to do instead.
func (p *Parameters) RejectUnsupported(name, advice string, harmless ...string) {
	for _, text := range p.Values[name] {
		if text != "" && !slices.Contains(harmless, strings.ToLower(text)) {
			p.Reject("unsupported parameter %s: %s", name, advice)
		}
	}
}
