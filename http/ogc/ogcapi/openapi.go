package ogcapi

import (
	"net/url"
	"slices"
	"strings"
)

// Definition is the OpenAPI 3.0 definition of the API.
type Definition struct {
	OpenAPI    string              `json:"openapi"`
	Info       definitionInfo      `json:"info"`
	Servers    []definitionServer  `json:"servers"`
	Security   []schema            `json:"security"` // empty: no authentication
	Tags       []definitionTag     `json:"tags"`
	Paths      map[string]pathItem `json:"paths"`
	Components components          `json:"components"`
}

type definitionInfo struct {
	Title       string             `json:"title"`
	Description string             `json:"description,omitempty"`
	Contact     *definitionContact `json:"contact,omitempty"`
	Version     string             `json:"version"`
}

type definitionContact struct {
	Name  string `json:"name,omitempty"`
	URL   string `json:"url,omitempty"`
	Email string `json:"email,omitempty"`
}

type definitionServer struct {
	URL string `json:"url"`
}

type definitionTag struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type pathItem struct {
	Get *operation `json:"get"`
}

type operation struct {
	Tags        []string            `json:"tags"`
	Summary     string              `json:"summary"`
	OperationID string              `json:"operationId"`
	Parameters  []reference         `json:"parameters,omitempty"`
	Responses   map[string]response `json:"responses"`
}

type reference struct {
	Ref string `json:"$ref"`
}

type response struct {
	Ref         string               `json:"$ref,omitempty"`
	Description string               `json:"description,omitempty"`
	Headers     map[string]header    `json:"headers,omitempty"`
	Content     map[string]mediaType `json:"content,omitempty"`
}

type header struct {
	Description string `json:"description"`
	Schema      schema `json:"schema"`
}

type mediaType struct {
	Schema schema `json:"schema"`
}

// schema is a JSON schema.
type schema map[string]any

type components struct {
	Parameters map[string]parameter `json:"parameters"`
	Responses  map[string]response  `json:"responses"`
	Schemas    map[string]schema    `json:"schemas"`
}

const (
	definitionPath = "/api"
	openAPIVersion = "3.0.3"
	apiVersion     = "1.0.0"
)

// The locations of shared parameters and responses in the definition.
const (
	refParameters = "#/components/parameters/"
	refResponses  = "#/components/responses/"
)

// The tags that group operations.
const (
	tagCapabilities = "Capabilities"
	tagCollections  = "Collections"
	tagTiles        = "Tiles"
	tagMaps         = "Maps"
)

// Definition returns the definition. tileMatrixSets are the ids of the sets in which the dataset
// has tiles.
func (s Site) Definition(service Service, tileMatrixSets []string) Definition {
	d := Definition{
		OpenAPI: openAPIVersion,
		Info:    definitionInfo{Title: service.Title, Description: service.Abstract, Version: apiVersion},
		Servers: []definitionServer{{URL: s.Root}}, Security: []schema{},
		Tags: []definitionTag{
			{tagCapabilities, "What the API is and can do"},
			{tagCollections, "The layers that maps are made of"},
			{tagTiles, "Maps as tiles"},
			{tagMaps, "Maps of any extent"},
		},
		Paths:      make(map[string]pathItem),
		Components: components{Parameters: s.definedParameters(tileMatrixSets), Responses: s.definedResponses(), Schemas: definedSchemas()},
	}
	if c := (definitionContact{Name: firstOf(service.Contact, service.Provider), URL: webAddress(service.Site), Email: mailAddress(service.Email)}); c != (definitionContact{}) {
		d.Info.Contact = &c
	}
	if s.FixedBackground {
		delete(d.Components.Parameters, "bgcolor")
	}
	for _, o := range operations() {
		o.parameters = slices.DeleteFunc(o.parameters, func(name string) bool { return name == "bgcolor" && s.FixedBackground })
		d.Paths[o.path] = pathItem{Get: o.definition()}
	}
	return d
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// webAddress returns text, or "" if it is not a valid URL and so would make the definition invalid.
func webAddress(text string) string {
	if u, err := url.Parse(text); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return text
}

func mailAddress(text string) string {
	if name, host, ok := strings.Cut(text, "@"); !ok || name == "" || host == "" || strings.ContainsAny(text, " <>\"") {
		return ""
	}
	return text
}

// definition returns the OpenAPI object of an operation.
func (o *operationSpec) definition() *operation {
	defined := &operation{
		Tags: []string{o.tag}, Summary: o.summary, OperationID: o.id,
		Responses: map[string]response{
			"200": {Ref: refResponses + o.result},
			"400": {Ref: refResponses + resultProblem},
			"404": {Ref: refResponses + resultProblem},
			"406": {Ref: refResponses + resultProblem},
			"500": {Ref: refResponses + resultProblem},
		},
	}
	if o.result == resultTile {
		defined.Responses["204"] = response{Description: "There is nothing to see, where the server is told to say so"}
	}
	if o.result == resultTile || o.result == resultMap {
		defined.Responses["413"] = response{Ref: refResponses + resultProblem}
		defined.Responses["503"] = response{Ref: refResponses + resultProblem}
	}
	for _, name := range append(pathNames(o.path), o.parameters...) {
		defined.Parameters = append(defined.Parameters, reference{refParameters + name})
	}
	return defined
}

// pathNames returns the names of path parameters.
func pathNames(path string) []string {
	var names []string
	for part := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(part, "{") {
			names = append(names, strings.Trim(part, "{}"))
		}
	}
	return names
}
