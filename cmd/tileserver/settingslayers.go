package main

import (
	"strings"

	"tileserver/display/terrain"
)

// layerSettings returns the keys of an entry of "layers", without those of its style.
func layerSettings() []setting {
	return []setting{
		{key: "path", value: "FILE", example: "/srv/rasters/dem.tif", help: "File of the layer; `FILE#2` is its second image. Required"},
		{key: "id", value: "text", example: "heights", initial: "from the name of the file",
			help: "Name of the layer in addresses: letters, digits, `-`, `_` and `.`"},
		{key: "title", value: "text", example: "Heights above sea", initial: "the id, or the name of the file", help: "Name of the layer for people"},
		{key: "description", value: "text", example: "Elevation model of 2024", help: "What the layer shows"},
		{key: "attribution", value: "text", example: "© The Example", help: "Credit to show next to its pictures"},
		{key: "empty", value: "blank|204|404", example: `"404"`, initial: "as the server", help: "Answer for a tile that shows nothing of the layer"},
		{key: "block", value: "N", example: "512", initial: "the file's own", help: "Side of the blocks to cut the file into, from 64 to 8192"},
		{key: "quality_layers", value: "N", example: "4", initial: "all",
			help: "Quality layers of a JPEG 2000 file to decode; fewer are faster and coarser"},
		{key: "statistics_pixels", value: "N", example: "16777216", initial: "16777216",
			help: "Maximum number of pixels to read for statistics; larger overviews are sampled by block"},
		{key: "max_making", value: "SIZE", example: "256MiB", initial: "256MiB",
			help: "If the file lacks overviews, a request builds what it needs as long as that decodes less than this; larger jobs run once, in the background"},
		{key: "styles", value: "list", help: "Further styles of the layer, which requests name as `style=NAME`; see Styles"},
	}
}

// namedStyleSettings returns the keys of an entry of "styles", without those of the style itself.
func namedStyleSettings() []setting {
	return []setting{
		{key: "name", value: "text", help: "Name of the style in addresses. Required"},
		{key: "title", value: "text", initial: "the name", help: "Name of the style for people"},
	}
}

// styleSettings returns the keys of a style. Requests and the command "render" have parameters of
// the same names.
func styleSettings() []setting {
	return []setting{
		{key: "bidx", value: "list", example: "[4, 3, 2]", help: "Bands to show, counted from 1: one, or red, green and blue"},
		{key: "bands", value: "list", example: "[nir, red, green]", help: "Bands to show, by the names that the file gives them"},
		{key: "expression", value: "text", example: "(nir-red)/(nir+red)", help: "What to compute of bands"},
		{key: "unscale", value: "true|false", example: "true", help: "Use values by the scale and offset of the file, not stored samples"},
		{key: "complex", value: "quarter_power|magnitude", initial: "quarter_power", example: "magnitude", help: "What to show of complex samples"},
		{key: "algorithm", value: "text", example: "hillshade",
			help: "How to render elevation: " + algorithms()},
		{key: "algorithm_params", value: "keys", example: "{azimuth: 315, z_exaggeration: 2}", help: "Parameters of the algorithm"},
		{key: "rescale", value: "list", example: `["0,3000"]`, help: "Range of samples from black to white: one for all bands, or one for each"},
		{key: "stretch", value: "text", example: "percentile:2,98",
			help: "Range by statistics, in place of rescale: none, minmax, percentile:LOW,HIGH, dra, stddev:N or tile"},
		{key: "statistics", value: "dataset|file", initial: "dataset", example: "file",
			help: "Statistics for minmax and stddev: computed from the samples, or those stored in the file"},
		{key: "color_formula", value: "text", example: "gamma RGB 1.1, saturation 1.2", help: "Gamma, sigmoidal contrast and saturation"},
		{key: "colormap_name", value: "text", example: "terrain", help: "Color map of a single band"},
		{key: "colormap", value: "keys or list", example: `{1: "#1a7f37", 2: "#bf8700"}`,
			help: "Own colors: of classes by their samples, of intervals, or at samples to interpolate between"},
		{key: "colormap_type", value: "explicit|linear", initial: "explicit", example: "linear", help: "Whether a color map of classes is interpolated"},
		{key: "background", value: "color", initial: "white", example: `"#102030"`, help: "Color behind transparent pixels, in JPEG"},
		{key: "resampling", value: "text", initial: "bilinear", example: "cubic", help: "nearest, bilinear, cubic, lanczos or average"},
		{key: "nodata", value: "number", example: "-32768", help: "An additional sample value that means nodata"},
	}
}

// algorithms returns the names of all algorithms.
func algorithms() string { return strings.Join(terrain.ModeNames(), ", ") }
