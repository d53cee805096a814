package ogc_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// apiDefinition is the part of an OpenAPI definition that the checks read.
type apiDefinition struct {
	OpenAPI    string
	Info       struct{ Title, Version string }
	Paths      map[string]map[string]definedOperation
	Components struct {
		Parameters map[string]struct {
			Name, In string
			Required bool
			Schema   map[string]any
		}
	}
}

type definedOperation struct {
	OperationID string
	Parameters  []struct {
		Ref string `json:"$ref"`
	}
	Responses map[string]map[string]any
}

func (d *apiDefinition) operations() (all []definedOperation) {
	for _, methods := range d.Paths {
		for _, operation := range methods {
			all = append(all, operation)
		}
	}
	return all
}

// definitionBody returns the definition that the landing page links.
func (c *client) definitionBody(t *testing.T) []byte {
	t.Helper()
	address := linkTo(t, ogcLinks(t, c.GetAs(root+"/", "application/json").Body.Bytes()), "service-desc", mimeOpenAPI).Href
	got := c.GetAs(address, mimeOpenAPI)
	if got.Code != 200 || got.Header().Get("Content-Type") != mimeOpenAPI {
		t.Fatalf("%s: status %d, type %q", address, got.Code, got.Header().Get("Content-Type"))
	}
	return got.Body.Bytes()
}

func (c *client) definition(t *testing.T) *apiDefinition {
	t.Helper()
	var d apiDefinition
	if err := json.Unmarshal(c.definitionBody(t), &d); err != nil {
		t.Fatal(err)
	}
	return &d
}

var pathVariable = regexp.MustCompile(`\{(\w+)\}`)

// hasValidDefinition checks for errors in the definition: broken references, repeated ids and
// undeclared path variables. Package integration/clients runs a validator.
func hasValidDefinition(t *testing.T, c *client) {
	var document any
	if err := json.Unmarshal(c.definitionBody(t), &document); err != nil {
		t.Fatal(err)
	}
	checkReferences(t, document, document)
	d := c.definition(t)
	if !strings.HasPrefix(d.OpenAPI, "3.0.") || d.Info.Title == "" || d.Info.Version == "" || len(d.Paths) == 0 {
		t.Errorf("the definition is of %q, %+v, and has %d paths", d.OpenAPI, d.Info, len(d.Paths))
	}
	ids := make(map[string]bool)
	for path, methods := range d.Paths {
		for _, operation := range methods {
			if id := operation.OperationID; id == "" || ids[id] {
				t.Errorf("the id %q is empty or there twice", id)
			}
			ids[operation.OperationID] = true
			var declared []string
			for _, parameter := range operation.Parameters {
				p := d.Components.Parameters[strings.TrimPrefix(parameter.Ref, "#/components/parameters/")]
				if p.Name == "" || p.Schema == nil {
					t.Errorf("%s has the parameter %+v", path, p)
				}
				if p.In == "path" && p.Required {
					declared = append(declared, p.Name)
				}
			}
			for _, variable := range pathVariable.FindAllStringSubmatch(path, -1) {
				if !slices.Contains(declared, variable[1]) {
					t.Errorf("%s does not have %s among its parameters %v", path, variable[1], declared)
				}
			}
			if operation.Responses["200"] == nil {
				t.Errorf("%s has no answer 200", path)
			}
		}
	}
}

// checkReferences resolves all references in a part of a document.
func checkReferences(t *testing.T, document, part any) {
	t.Helper()
	switch part := part.(type) {
	case []any:
		for _, item := range part {
			checkReferences(t, document, item)
		}
	case map[string]any:
		if ref, ok := part["$ref"].(string); ok {
			at := document
			for _, name := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
				within, _ := at.(map[string]any)
				at = within[name]
			}
			if at == nil {
				t.Errorf("%s refers to nothing", ref)
			}
		}
		for _, item := range part {
			checkReferences(t, document, item)
		}
	}
}
