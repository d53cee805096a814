package style_test

import (
	"net/url"
	"reflect"
	"strings"
	"testing"

	"tileserver/display"
	"tileserver/display/colormap"
	"tileserver/display/terrain"
	"tileserver/query"
	"tileserver/raster"
	"tileserver/style"
)

// valuesOf parses a query in which nothing is escaped.
func valuesOf(query string) url.Values {
	values := make(url.Values)
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			values.Add(name, value)
		}
	}
	return values
}

func mustParse(t *testing.T, query string, base style.Style) style.Style {
	t.Helper()
	parsed, err := style.Parse(valuesOf(query), base)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return parsed
}

// Two mistakes are reported in a fixed order: that of bands, algorithms, ranges and colors, then
// that of the table.
func TestTheFirstMistakeIsReported(t *testing.T) {
	for _, test := range []struct{ query, want string }{
		{"bidx=0&expression=b1%", "bidx must be numbers of bands, from 1, not \"0\""},
		{"expression=b1+&bidx=1", `invalid expression at character 4: expected a number, a band, a function or "(", not the end`},
		{"bidx=1&bands=a", "bidx, bands and expression exclude each other"},
		{"bidx=" + strings.Repeat("1,", 64) + "1", "bidx has more than 64 bands"},
		{"bands=" + strings.Repeat("a,", 64) + "a", "bands has more than 64 names"},
		{"algorithm=slopes&rescale=1", `algorithm: "slopes" is not one of ` + strings.Join(terrain.ModeNames(), ", ") + `, none; did you mean "slope"?`},
		{"algorithm_params={}", "algorithm_params need an algorithm"},
		{"algorithm=none&algorithm_params={}", `algorithm_params need an algorithm, not "none"`},
		{"algorithm=slope&algorithm_params=3", "algorithm_params: not a JSON object"},
		{"rescale=1&unscale=maybe", `rescale must be 2 numbers with commas between them, such as 5.9,45.8, not "1"`},
		{"rescale=0,1&stretch=dra", "rescale and stretch exclude each other"},
		{"statistics=both&stretch=much", `statistics must be one of dataset, file, not "both"`},
		{"stretch=much", `stretch "much": use auto, none, minmax, percentile:2,98, dra, stddev:2 or tile`},
		{"unscale=maybe&color_formula=gam", `color_formula: operation 1: "gam" is not gamma, sigmoidal or saturation`},
		{"colormap_name=x&background=reddish", `background must be a color such as "#102030" or navy, not "reddish"`},
		{"colormap_name=viridis&colormap={\"1\":\"red\"}", "colormap_name and colormap exclude each other"},
		{"colormap_name=virids", `colormap_name: unknown color map "virids"; did you mean "viridis"?`},
		{"colormap_name=nothing like it", `colormap_name: unknown color map "nothing like it"; /colormaps lists all`},
		{"colormap={}", "colormap: 0 categories, not 1 to 1024"},
		{"complex=half&unscale=maybe", `unscale must be true or false, not "maybe"`},
		{"depth=12&complex=half", `complex must be one of quarter_power, magnitude, not "half"`},
		{"nodata=inf&depth=12", `depth must be one of 8, 16, not "12"`},
		{"resampling=best&nodata=inf", `nodata must be a finite number or nan, not "inf"`},
		{"resampling=best", `resampling: unknown method "best"; use bilinear, nearest, cubic, lanczos, average`},
		{"depth=8&depth=16", "depth is given 2 times; once is allowed"},
	} {
		if _, err := style.Parse(valuesOf(test.query), style.Style{}); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.query, err, test.want)
		}
	}
}

// In an address, # begins what the server does not get, so the advice escapes it.
func TestAdviceInAddressesIsEscaped(t *testing.T) {
	p := query.Parameters{Values: valuesOf("background=reddish"), InAddress: true}
	style.Read(&p, style.Style{})
	if want := `background must be a color such as %23102030 (a # that is escaped) or navy, not "reddish"`; p.Err == nil || p.Err.Error() != want {
		t.Errorf("the error is %v, want %s", p.Err, want)
	}
}

// A plus in an address is a blank, which makes many expressions invalid.
func TestBlanksInExpressionsAreExplained(t *testing.T) {
	_, err := style.Parse(url.Values{"expression": {"b1 b2"}}, style.Style{})
	if err == nil || !strings.HasSuffix(err.Error(), "write %2B and %26)") {
		t.Errorf("the error is %v", err)
	}
}

// Most requests for tiles have no parameter.
func TestReadingNoParametersAllocatesNothing(t *testing.T) {
	none, base := &query.Parameters{}, style.Style{Spec: display.Spec{Bands: []int{2}}}
	var read style.Style
	if n := testing.AllocsPerRun(100, func() { read = style.Read(none, base) }); n != 0 || len(read.Bands) != 1 {
		t.Errorf("%v allocations, and the style %+v", n, read)
	}
}

// Parameters remove settings of the base that apply to what they replace, and keep all others.
func TestParametersReplaceSettingsOfTheBase(t *testing.T) {
	const (
		three   = "bidx=3,2,1&rescale=0,1&rescale=0,2&rescale=0,3"
		colored = "rescale=10,400&colormap_name=viridis&color_formula=gamma r 2"
	)
	for _, test := range []struct{ base, query, want string }{
		{three, "", three},
		{three, "bidx=1", "bidx=1"},
		{three, "expression=b1*2", "expression=b1*2"},
		{three, "unscale=on", three + "&unscale=true"},
		{three, "stretch=dra", "bidx=3,2,1&stretch=dra"},
		{"stretch=dra", "rescale=0,1", "rescale=0,1"},
		{colored, "bidx=1,2,3", "bidx=1,2,3&rescale=10,400&color_formula=gamma r 2"},
		{colored, "algorithm=relief", colored + "&algorithm=relief"},
		{colored, "algorithm=slope", "algorithm=slope"},
		{colored + "&algorithm=slope", `algorithm_params={"unit":"percent"}`, colored + `&algorithm=slope&algorithm_params={"unit":"percent"}`},
		{colored + "&algorithm=relief", "algorithm=none", colored},
		{colored + "&algorithm=slope", "algorithm=none", ""},
		{"colormap={\"1\":\"red\"}", "rescale=0,1", "rescale=0,1"},
		{"rescale=0,1", "colormap={\"1\":\"red\"}", "colormap={\"1\":\"red\"}"},
		{"", "colormap={\"1\":\"red\"}&rescale=0,1&rescale=0,2", "rescale=0,1&rescale=0,2&colormap={\"1\":\"red\"}"},
		{"rescale=0,1", "colormap={\"0\":\"red\",\"255\":\"tan\"}&colormap_type=linear", "rescale=0,1&colormap={\"0\":\"red\",\"255\":\"tan\"}&colormap_type=linear"},
		{"nodata=7&background=navy", "nodata=NaN&background=transparent", ""},
		{"depth=16&complex=magnitude&statistics=file", "depth=8&complex=quarter_power&statistics=dataset", ""},
		{"resampling=cubic", "resampling=bilinear", ""},
	} {
		got := mustParse(t, test.query, mustParse(t, test.base, style.Style{}))
		if want := mustParse(t, test.want, style.Style{}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s on %s makes %+v, want %+v", test.query, test.base, got, want)
		}
	}
}

func TestParametersAreValuesOfAStyle(t *testing.T) {
	s := mustParse(t, "bidx=4&unscale=1&complex=magnitude&stretch=percentile&statistics=file&colormap_name=magma_r&background=#102030&depth=16&nodata=-3", style.Style{})
	nodata := -3.0
	want := style.Style{
		Spec: display.Spec{
			Bands: []int{3}, Unscale: true, Amplitudes: true, Stretch: display.Stretch{Kind: display.Percentile, Low: 2, High: 98},
			StoredStatistics: true, ColorMap: "magma_r", Deep: true,
		},
		NoData: &nodata, Background: raster.RGBA{R: 16, G: 32, B: 48, A: 255},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v, want %+v", s, want)
	}
	s = mustParse(t, "bands=nir,red&bands=green&algorithm=hillshade&color_formula=gamma r 2", style.Style{})
	if len(s.BandNames) != 3 || s.Relief == nil || s.Relief.Mode != terrain.ModeHillshade || s.Formula.String() != "gamma r 2" {
		t.Errorf("got %+v", s)
	}
	if s = mustParse(t, `colormap=[[0,"red"],[9,"tan"]]`, style.Style{}); s.Colors.Kind() != colormap.Stops {
		t.Errorf("the colors are %v", s.Colors.Kind())
	}
}
