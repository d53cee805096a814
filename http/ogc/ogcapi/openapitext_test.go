package ogcapi

import (
	"strings"
	"testing"
)

// The definition says which layers a map of the dataset shows.
func TestDefinitionDescribesTheDataset(t *testing.T) {
	d := Site{Root: "https://maps.example/ogc"}.Definition(Service{Title: "Maps"}, nil)
	for _, path := range []string{"/map", "/map/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}"} {
		if summary := d.Paths[path].Get.Summary; !strings.Contains(summary, "topmost") {
			t.Errorf("%s is %q", path, summary)
		}
	}
	if text := d.Components.Parameters["collections"].Description; !strings.Contains(text, "topmost") {
		t.Errorf("collections is %q", text)
	}
	page := d.Page(Site{})
	html, err := page.HTML()
	if err != nil || !strings.Contains(string(html), "topmost") {
		t.Errorf("the page does not say so: %v", err)
	}
}
