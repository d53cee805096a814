package ogcapi

import "strings"

// parameter is a parameter of operations in the definition.
type parameter struct {
	Name        string `json:"name"`
	In          string `json:"in"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Style       string `json:"style,omitempty"`
	Explode     *bool  `json:"explode,omitempty"`
	Schema      schema `json:"schema"`
}

func (s Site) definedParameters(tileMatrixSets []string) map[string]parameter {
	sets := schema{"type": "string"}
	if len(tileMatrixSets) > 0 {
		sets["example"] = tileMatrixSets[0]
		sets["description"] = "The dataset has tiles in " + strings.Join(tileMatrixSets, ", ")
	}
	index := schema{"type": "integer", "minimum": 0}
	parameters := map[string]parameter{
		"collectionId":      inPath("collectionId", "The id of a collection", schema{"type": "string"}),
		"styleId":           inPath("styleId", "The id of a style of the collection", schema{"type": "string", "example": "default"}),
		"tileMatrixSetId":   inPath("tileMatrixSetId", "The id of a tile matrix set", sets),
		"tileMatrix":        inPath("tileMatrix", "The id of a tile matrix: a level of zoom", schema{"type": "string", "example": "11"}),
		"tileRow":           inPath("tileRow", "The row of the tile, from the top", index),
		"tileCol":           inPath("tileCol", "The column of the tile, from the left", index),
		"f":                 inQuery("f", "The format of the document; without it, the header Accept chooses", oneOf(DocumentFormats())),
		"pictureFormat":     inQuery("f", "The format of the picture; without it, the header Accept chooses", oneOf(offered(s.Formats))),
		"limit":             inQuery("limit", "How many collections are listed at most", schema{"type": "integer", "minimum": 1, "maximum": MaxLimit, "default": DefaultLimit}),
		"offset":            inQuery("offset", "How many collections are left out before the first", schema{"type": "integer", "minimum": 0, "default": 0}),
		"width":             inQuery("width", "The width of the map in pixels", schema{"type": "integer", "minimum": 1}),
		"height":            inQuery("height", "The height of the map in pixels", schema{"type": "integer", "minimum": 1}),
		"scale-denominator": inQuery("scale-denominator", "How many times smaller the map is than the ground, on pixels of 0.28 mm", schema{"type": "number", "minimum": 0, "exclusiveMinimum": true}),
		"transparent":       inQuery("transparent", s.aboutTransparent(), schema{"type": "boolean"}),
		"bgcolor":           inQuery("bgcolor", "The colour of the background: 0xRRGGBB, or a name of CSS", schema{"type": "string", "default": "0xFFFFFF"}),
		"crs":               inQuery("crs", "The reference system of the map, as an address or like [EPSG:3857]; CRS84 without it", crsSchema()),
		"bbox-crs":          inQuery("bbox-crs", "The reference system of bbox; CRS84 without it", crsSchema()),
		"center-crs":        inQuery("center-crs", "The reference system of center; CRS84 without it", crsSchema()),
		"subset-crs":        inQuery("subset-crs", "The reference system of subset; CRS84 without it", crsSchema()),
	}
	numbers := schema{"type": "array", "minItems": 4, "maxItems": 6, "items": schema{"type": "number", "format": "double"}}
	texts := schema{"type": "array", "items": schema{"type": "string"}}
	parameters["bbox"] = withCommas(inQuery("bbox", "The extent of the map: its lower left and its upper right corner, in the order of the axes of bbox-crs", numbers))
	place := schema{"type": "array", "minItems": 2, "maxItems": 2, "items": schema{"type": "number", "format": "double"}}
	parameters["center"] = withCommas(inQuery("center", "The middle of the map, in the order of the axes of center-crs", place))
	parameters["subset"] = withCommas(inQuery("subset", "The extent of the map by its axes, like Lat(47:48),Lon(10:12), or E and N", texts))
	parameters["collections"] = withCommas(inQuery("collections", "The ids of the collections to lay on each other, the lowest first; without it, the topmost that reach there and can be laid on others, as many as one picture may have", texts))
	return parameters
}

func (s Site) aboutTransparent() string {
	if s.FixedBackground {
		return "Whether the background shows through"
	}
	return "Whether the background shows through: true, but false where bgcolor is given"
}

func inPath(name, description string, of schema) parameter {
	return parameter{Name: name, In: "path", Description: description, Required: true, Schema: of}
}

func inQuery(name, description string, of schema) parameter {
	return parameter{Name: name, In: "query", Description: description, Schema: of}
}

// withCommas makes the values of a parameter a comma-separated list.
func withCommas(p parameter) parameter {
	explode := false
	p.Style, p.Explode = "form", &explode
	return p
}

func oneOf(formats []Format) schema {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return schema{"type": "string", "enum": names}
}

func crsSchema() schema { return schema{"type": "string", "example": crsNames(nil)[0]} }

func (s Site) definedResponses() map[string]response {
	document := mediaType{schema{"type": "object"}}
	page := mediaType{schema{"type": "string"}}
	pictures := make(map[string]mediaType)
	for _, f := range offered(s.Formats) {
		pictures[f.Types[0]] = mediaType{schema{"type": "string", "format": "binary"}}
	}
	return map[string]response{
		resultDocument:   {Description: "The document", Content: map[string]mediaType{MIMEJSON: {schema{"$ref": "#/components/schemas/Linked"}}, MIMEHTML: page}},
		resultDefinition: {Description: "The definition", Content: map[string]mediaType{MIMEOpenAPI: document, MIMEHTML: page}},
		resultTile:       {Description: "The tile", Content: pictures},
		resultMap: {Description: "The map", Content: pictures, Headers: map[string]header{
			"Content-Crs":  {"The reference system of the map, as an address in angle brackets", schema{"type": "string"}},
			"Content-Bbox": {"The extent of the map, in the order of the axes of its system", schema{"type": "string"}},
		}},
		resultProblem: {Description: "Why there is no answer", Content: map[string]mediaType{MIMEProblem: {schema{"$ref": "#/components/schemas/Problem"}}}},
	}
}

func definedSchemas() map[string]schema {
	text := schema{"type": "string"}
	link := schema{
		"type": "object", "required": []string{"href", "rel"},
		"properties": schema{"href": text, "rel": text, "type": text, "title": text, "templated": schema{"type": "boolean"}},
	}
	return map[string]schema{
		"Link":   link,
		"Linked": {"type": "object", "properties": schema{"links": schema{"type": "array", "items": schema{"$ref": "#/components/schemas/Link"}}}},
		"Problem": {"type": "object", "required": []string{"type", "title", "status"}, "properties": schema{
			"type": text, "title": text, "status": schema{"type": "integer"}, "detail": text, "code": text,
		}},
	}
}

// The bounds of a page of the list of collections.
const (
	DefaultLimit = 100
	MaxLimit     = 1000
)
