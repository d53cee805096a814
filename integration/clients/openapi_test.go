package clients

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestDefinitionIsValid(t *testing.T) {
	require(t, nodePart, part{"swagger-parser", modulesPart.install, file("node_modules/@apidevtools/swagger-parser/package.json")})
	out := run(t, "node", "openapi.mjs", everything.maps(t)+"/ogc/api?f=json")
	var got struct {
		Type, Version, Title string
		Paths                []string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if got.Type != "application/vnd.oai.openapi+json;version=3.0" || got.Version != "3.0.3" || got.Title == "" {
		t.Errorf("the definition is %s, of OpenAPI %s, and called %q", got.Type, got.Version, got.Title)
	}
	for _, path := range []string{
		"/", "/conformance", "/api", "/collections", "/map/tiles", "/collections/{collectionId}/map",
		"/collections/{collectionId}/map/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}",
	} {
		if !slices.Contains(got.Paths, path) {
			t.Errorf("the definition has no path %s", path)
		}
	}
}
