package main

import (
	"flag"
	"net/url"

	"tileserver/cmd/tileserver/usage"
)

// parameter is an option of render that is also a parameter of a request.
type parameter struct{ name, help string }

type parameterGroup struct {
	title      string
	parameters []parameter
}

// viewParameters returns the parameters of the box to show.
func viewParameters() []parameter {
	return []parameter{
		{"bbox", "`MINX,MINY,MAXX,MAXY` Box to render"},
		{"crs", "`CRS` What the box is in: EPSG:n, CRS84, or image for pixels (default CRS84)"},
		{"width", "`N` Width of the picture of a box"},
		{"height", "`N` Height of the picture of a box"},
	}
}

// styleParameters returns the parameters of the style and the encoding.
func styleParameters() []parameterGroup {
	return []parameterGroup{
		{"Bands and values", []parameter{
			{"bidx", "`LIST` Bands to show, such as 3,2,1"},
			{"bands", "`LIST` Bands to show by number or name, such as 3,2,1 or red,green,blue"},
			{"expression", "`FORMULA` What to compute of bands, such as (nir-red)/(nir+red)"},
			{"unscale", "`true|false` Use values by the scale and offset of the file, not stored samples"},
			{"complex", "`PART` What to show of complex samples: quarter_power or magnitude"},
			{"algorithm", "`NAME` How to render elevation: " + algorithms()},
			{"algorithm_params", "`JSON` Parameters of the algorithm, such as {\"azimuth\":315}"},
			{"nodata", "`VALUE` An additional sample value that means nodata"},
			{"resampling", "`METHOD` nearest, bilinear, cubic, lanczos or average"},
		}},
		{"Colors", []parameter{
			{"rescale", "`LOW,HIGH` Samples that become black and white, such as 0,3000; repeat it for each band"},
			{"stretch", "`METHOD` auto, none, minmax, percentile:2,98, dra, stddev:2 or tile"},
			{"statistics", "`SOURCE` dataset, or file for the statistics stored in the file"},
			{"color_formula", "`FORMULA` Such as \"gamma RGB 1.2, sigmoidal RGB 8 0.4, saturation 1.1\""},
			{"colormap_name", "`NAME` Color map of a single band, such as viridis"},
			{"colormap", "`JSON` Own colors, such as {\"1\":\"#ff0000\"}"},
			{"colormap_type", "`TYPE` explicit or linear"},
			{"background", "`COLOR` Color behind transparent pixels, in JPEG"},
		}},
		{"Encoding", []parameter{
			{"depth", "`BITS` Bits per sample of PNG: 8 or 16"},
			{"quality", "`N` Quality of JPEG and WebP, 1 to 100"},
			{"subsampling", "`420|444` Resolution of color in JPEG"},
			{"lossless", "`true|false` WebP without loss"},
		}},
	}
}

// renderGroups returns the options of render, grouped as in its help.
func renderGroups() []usage.Group {
	area := usage.Group{Title: "Area", Names: []string{"tile", "tms", "bbox", "crs", "width", "height", "max_size"}}
	groups := []usage.Group{area}
	for _, g := range styleParameters() {
		var names []string
		for _, p := range g.parameters {
			names = append(names, p.name)
		}
		groups = append(groups, usage.Group{Title: g.title, Names: names})
	}
	return groups
}

// defineParameters defines an option per parameter. Parsing collects their values in values.
func defineParameters(set *flag.FlagSet, values url.Values, parameters []parameter) {
	for _, p := range parameters {
		set.Func(p.name, p.help, func(value string) error {
			values.Add(p.name, value)
			return nil
		})
	}
}
