package style_test

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tileserver/style"
)

// exampleQueries has a query for each parameter, in the order of the table.
var exampleQueries = [...]string{
	"bidx=3,2,1", "bands=nir,red,green", "expression=(nir-red)/(nir+red)", "unscale=true", "complex=magnitude",
	"algorithm=hillshade", `algorithm=relief&algorithm_params={"azimuth":10.5}`, "rescale=0,3000&rescale=-1e-9,2.5", "stretch=percentile:1.5,98",
	"stretch=minmax&statistics=file", "color_formula=gamma RGB 1.2, sigmoidal RG 8 0.4, saturation 1.1", "colormap_name=viridis_r",
	`colormap={"1":"#ff0000","2.5":{"color":[1,2,3,4],"label":"<water>"}}`, `colormap={"0":"red","255":"#0f08"}&colormap_type=linear`,
	"background=#10203040", "depth=16", "nodata=-32768.5", "resampling=lanczos",
}

// otherQueries have further values of the parameters.
var otherQueries = [...]string{
	"", "bands=,", "expression=b1;b2;b3", "bidx=1&bidx=2", "stretch=auto", "stretch=none", "stretch=stddev:1.25", "stretch=tile", "color_formula=gamma r 1",
	`algorithm=contours&algorithm_params={"increment":20,"index_thickness":5}`, `algorithm=contours&algorithm_params={"index_every":5,"minz":-3}`,
	`algorithm=slope&algorithm_params={"unit":"percent"}`, "algorithm=aspect", "algorithm=multihillshade&colormap_name=magma",
	`algorithm=terrainrgb&algorithm_params={"interval":0.5,"baseval":-9,"nodata_height":-9}`, `algorithm=terrarium&algorithm_params={"nodata_height":0}`,
	`colormap=[[[0,10],"red","low"],[[10,1e21],[1,2,3]]]`, `colormap=[[0,"#000"],[1e-7,"#fff8"]]`, `rescale=0,1&colormap=[[0,"#000"],[9,"#fff8"]]`,
	"nodata=nan", "nodata=0", "background=transparent",
}

// Every parameter of the table is read, and written so that reading gives the same style.
func TestEveryParameterIsReadAndWritten(t *testing.T) {
	names := style.Names()
	if len(names) != len(exampleQueries) {
		t.Fatalf("there are %d examples of %d parameters", len(exampleQueries), len(names))
	}
	for i, query := range exampleQueries {
		name, asked := names[i], valuesOf(query)
		if !asked.Has(name) {
			t.Errorf("%s is no example of %s", query, name)
		}
		without := valuesOf(query)
		without.Del(name)
		if base, err := style.Parse(without, style.Style{}); err == nil && reflect.DeepEqual(base, mustParse(t, query, style.Style{})) {
			t.Errorf("%s changes nothing in %s", name, query)
		}
		contains := name
		if p, _ := style.Lookup(name); p.Needs != "" {
			contains = p.Needs
		}
		if written := checkRoundTrip(t, asked); !written.Has(contains) {
			t.Errorf("the style of %s has the parameters %v, without %s", query, written, contains)
		}
	}
}

func TestValuesRoundTrip(t *testing.T) {
	for _, query := range otherQueries {
		checkRoundTrip(t, valuesOf(query))
	}
	if values := style.Values(style.Style{}); len(values) > 0 {
		t.Errorf("the zero style has the parameters %v", values)
	}
}

// checkRoundTrip parses a query, writes the style and parses that. It returns what is written.
func checkRoundTrip(t *testing.T, asked url.Values) url.Values {
	t.Helper()
	parsed, err := style.Parse(asked, style.Style{})
	if err != nil {
		t.Errorf("%v: %v", asked, err)
		return nil
	}
	written := style.Values(parsed)
	if again, err := style.Parse(written, style.Style{}); err != nil || !reflect.DeepEqual(again, parsed) {
		t.Errorf("%v is written as %v, which makes %+v, %v; want %+v", asked, written, again, err, parsed)
	}
	return written
}

// Descriptions are written like those of other keys and options.
func TestDescriptionsOfParameters(t *testing.T) {
	names := style.Names()
	for i, p := range style.Parameters() {
		if slices.Contains(names[:i], p.Name) || p.Needs != "" && !slices.Contains(names, p.Needs) {
			t.Errorf("%s stands twice, or belongs to %q, which is no parameter", p.Name, p.Needs)
		}
		if isKey := p.Key != (style.Key{}); isKey && (p.Key.Value == "" || p.Key.Help == "" || p.Key.Example == "" || strings.HasSuffix(p.Key.Help, ".")) {
			t.Errorf("the key %s is described as %+v", p.Name, p.Key)
		}
		if p.Option.Group == "" || p.Option.Value == "" || p.Option.Help+p.Key.Help == "" || strings.HasSuffix(p.Option.Help, ".") {
			t.Errorf("the option %s is described as %+v", p.Name, p.Option)
		}
	}
	if _, ok := style.Lookup("bix"); ok {
		t.Error("there is a parameter bix")
	}
}

// maxFuzzedBytes bounds queries: the forms that Values writes may be a little longer than those of a
// request, which have limits.
const maxFuzzedBytes = 400

// What a query makes is written as a query that makes the same.
func FuzzParse(f *testing.F) {
	for _, query := range slices.Concat(exampleQueries[:], otherQueries[:]) {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		if asked := valuesOf(query); len(query) <= maxFuzzedBytes {
			if _, err := style.Parse(asked, style.Style{}); err == nil {
				checkRoundTrip(t, asked)
			}
		}
	})
}
