package ogcapi

// Link is a link of a document to another one or to a picture.
type Link struct {
	Href      string `json:"href"`
	Rel       string `json:"rel"`
	Type      string `json:"type,omitempty"`
	Title     string `json:"title,omitempty"`
	Templated bool   `json:"templated,omitempty"`
}

// The relations of links.
const (
	relSelf        = "self"
	relAlternate   = "alternate"
	relServiceDesc = "service-desc"
	relServiceDoc  = "service-doc"
	relConformance = "conformance"
	relData        = "data"
	relNext        = "next"
	relPrevious    = "prev"
	relUp          = "up"
	relItem        = "item"
	relCollection  = "collection"

	relOGC            = "http://www.opengis.net/def/rel/ogc/1.0/"
	relOGCConformance = relOGC + "conformance"
	relOGCData        = relOGC + "data"
	relMap            = relOGC + "map"
	relStyles         = relOGC + "styles"
	relMapTileSets    = relOGC + "tilesets-map"
	relTilingScheme   = relOGC + "tiling-scheme"
	relTilingSchemes  = relOGC + "tiling-schemes"
)

// The media types of documents.
const (
	MIMEJSON    = "application/json"
	MIMEHTML    = "text/html"
	MIMEOpenAPI = "application/vnd.oai.openapi+json;version=3.0"
	MIMEProblem = "application/problem+json"
)
