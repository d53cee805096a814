package ogcapi

import (
	"path"
	"slices"
)

// Conformance lists the conformance classes of the API.
type Conformance struct {
	ConformsTo []string `json:"conformsTo"`
	Links      []Link   `json:"links"`
}

// ConformanceClasses returns the URIs of all conformance classes of the API.
func ConformanceClasses() []string {
	var classes []string
	for _, of := range []struct {
		standard string
		names    []string
	}{
		{"ogcapi-common-1/1.0", []string{"core", "landing-page", "json", "html", "oas30"}},
		{"ogcapi-common-2/1.0", []string{"collections", "json", "html"}},
		{"ogcapi-tiles-1/1.0", []string{
			"core", "tileset", "tilesets-list", "dataset-tilesets", "geodata-tilesets", "collections-selection", "oas30", "png", "jpeg",
		}},
		{"ogcapi-maps-1/1.0", []string{
			"core", "tilesets", "collections-selection", "scaling", "spatial-subsetting", "crs", "collection-map", "dataset-map", "styled-map", "png", "jpeg", "api-operations", "cors",
		}},
		{"tms/2.0", []string{"tilematrixset", "tilematrixsetlimits", "json-tilematrixset", "json-tilematrixsetlimits", "json-tilesetmetadata"}},
	} {
		for _, name := range of.names {
			classes = append(classes, "http://www.opengis.net/spec/"+of.standard+"/conf/"+name)
		}
	}
	return classes
}

const conformancePath = "/conformance"

// Conformance returns the document of the conformance classes, without those of formats that are not
// offered.
func (s Site) Conformance() Conformance {
	classes := ConformanceClasses()
	for _, format := range []string{"png", "jpeg"} {
		if _, isOffered := named(offered(s.Formats), format); !isOffered {
			classes = slices.DeleteFunc(classes, func(class string) bool { return path.Base(class) == format })
		}
	}
	return Conformance{ConformsTo: classes, Links: s.selfLinks(conformancePath, "")}
}
