package style_test

import (
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

// Every parameter of the table is read.
func TestEveryParameterIsRead(t *testing.T) {
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
		checkRepeated(t, query)
	}
}

func TestRepeatedQueriesChangeNothing(t *testing.T) {
	for _, query := range otherQueries {
		checkRepeated(t, query)
	}
}

// checkRepeated parses a query, and again over the style that it makes, which must stay the same.
func checkRepeated(t *testing.T, query string) {
	t.Helper()
	once := mustParse(t, query, style.Style{})
	if twice, err := style.Parse(valuesOf(query), once); err != nil || !reflect.DeepEqual(twice, once) {
		t.Errorf("%s makes %+v; over that, %+v, %v", query, once, twice, err)
	}
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

// A query that makes a style changes nothing in it.
func FuzzParse(f *testing.F) {
	for _, query := range slices.Concat(exampleQueries[:], otherQueries[:]) {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		if _, err := style.Parse(valuesOf(query), style.Style{}); err == nil {
			checkRepeated(t, query)
		}
	})
}
