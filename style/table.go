package style

import (
	"strings"

	"tileserver/display/terrain"
)

// parameters is the table of all parameters. Read calls the set functions in this order, after it
// has read the other parameters.
var parameters = [...]Parameter{
	{
		Name:   "bidx",
		Key:    Key{Value: "list", Example: "[4, 3, 2]", Help: "Bands to show, counted from 1: one, or red, green and blue"},
		Option: Option{Group: GroupBands, Value: "LIST", Help: "Bands to show, such as 3,2,1"},
	},
	{
		Name:   "bands",
		Key:    Key{Value: "list", Example: "[nir, red, green]", Help: "Bands to show, by number or by the names that the file gives them"},
		Option: Option{Group: GroupBands, Value: "LIST", Help: "Bands to show by number or name, such as 3,2,1 or red,green,blue"},
	},
	{
		Name:   "expression",
		Key:    Key{Value: "text", Example: "(nir-red)/(nir+red)", Help: "What to compute of bands"},
		Option: Option{Group: GroupBands, Value: "FORMULA", Help: "What to compute of bands, such as (nir-red)/(nir+red)"},
	},
	{
		Name: "unscale", set: setUnscale,
		Key:    Key{Value: "true|false", Example: "true", Help: "Use values by the scale and offset of the file, not stored samples"},
		Option: Option{Group: GroupBands, Value: "true|false"},
	},
	{
		Name: "complex", set: setComplex,
		Key:    Key{Value: "quarter_power|magnitude", Initial: quarterPower, Example: magnitude, Help: "What to show of complex samples"},
		Option: Option{Group: GroupBands, Value: "PART", Help: "What to show of complex samples: quarter_power or magnitude"},
	},
	{
		Name:   "algorithm",
		Key:    Key{Value: "text", Example: "hillshade", Help: "How to render elevation: " + strings.Join(terrain.ModeNames(), ", ")},
		Option: Option{Group: GroupBands, Value: "NAME"},
	},
	{
		Name: "algorithm_params", Needs: "algorithm",
		Key:    Key{Value: "keys", Example: "{azimuth: 315, z_exaggeration: 2}", Help: "Parameters of the algorithm"},
		Option: Option{Group: GroupBands, Value: "JSON", Help: "Parameters of the algorithm, such as {\"azimuth\":315}"},
	},
	{
		Name:   "rescale",
		Key:    Key{Value: "list", Example: `["0,3000"]`, Help: "Range of samples from black to white: one for all bands, or one for each"},
		Option: Option{Group: GroupColors, Value: "LOW,HIGH", Help: "Samples that become black and white, such as 0,3000; repeat it for each band"},
	},
	{
		Name: "stretch",
		Key: Key{Value: "text", Example: "percentile:2,98",
			Help: "Range by statistics, in place of rescale: auto, none, minmax, percentile:LOW,HIGH, dra, stddev:N or tile"},
		Option: Option{Group: GroupColors, Value: "METHOD", Help: "auto, none, minmax, percentile:2,98, dra, stddev:2 or tile"},
	},
	{
		Name: "statistics",
		Key: Key{Value: "dataset|file", Initial: statisticsOfDataset, Example: statisticsOfFile,
			Help: "Statistics for minmax and stddev: computed from the samples, or those stored in the file"},
		Option: Option{Group: GroupColors, Value: "SOURCE", Help: "dataset, or file for the statistics stored in the file"},
	},
	{
		Name:   "color_formula",
		Key:    Key{Value: "text", Example: "gamma RGB 1.1, saturation 1.2", Help: "Gamma, sigmoidal contrast and saturation"},
		Option: Option{Group: GroupColors, Value: "FORMULA", Help: "Such as \"gamma RGB 1.2, sigmoidal RGB 8 0.4, saturation 1.1\""},
	},
	{
		Name:   "colormap_name",
		Key:    Key{Value: "text", Example: "terrain", Help: "Color map of a single band"},
		Option: Option{Group: GroupColors, Value: "NAME", Help: "Color map of a single band, such as viridis"},
	},
	{
		Name: "colormap",
		Key: Key{Value: "keys or list", Example: `{1: "#1a7f37", 2: "#bf8700"}`,
			Help: "Own colors: of classes by their samples, of intervals, or at samples to interpolate between"},
		Option: Option{Group: GroupColors, Value: "JSON", Help: "Own colors, such as {\"1\":\"#ff0000\"}"},
	},
	{
		Name: "colormap_type", Needs: "colormap",
		Key:    Key{Value: "explicit|linear", Initial: "explicit", Example: "linear", Help: "Whether a color map of classes is interpolated"},
		Option: Option{Group: GroupColors, Value: "TYPE", Help: "explicit or linear"},
	},
	{
		Name:   "background",
		Key:    Key{Value: "color", Initial: "white", Example: `"#102030"`, Help: "Color behind transparent pixels, in JPEG"},
		Option: Option{Group: GroupColors, Value: "COLOR"},
	},
	{
		Name: "depth", set: setDepth,
		Option: Option{Group: GroupEncoding, Value: "BITS", Help: "Bits per sample of PNG: 8 or 16"},
	},
	{
		Name: "nodata", set: setNoData,
		Key:    Key{Value: "number", Example: "-32768", Help: "An additional sample value that means nodata"},
		Option: Option{Group: GroupBands, Value: "VALUE"},
	},
	{
		Name: "resampling", set: setResampling,
		Key:    Key{Value: "text", Initial: "bilinear", Example: "cubic", Help: "nearest, bilinear, cubic, lanczos or average"},
		Option: Option{Group: GroupBands, Value: "METHOD"},
	},
}
