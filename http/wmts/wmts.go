// Package wmts has the documents of the OGC Web Map Tile Service 1.0.0: it reads queries, and writes capabilities, what
// lies at a pixel, and reports of what is wrong. It must never know how an answer travels, nor what a layer is made of.
package wmts

// Version is the one version of the standard that there is.
const Version = "1.0.0"

// Where clients find what they know of the address of the server only.
const (
	QueryPath    = "/wmts"
	ResourcePath = QueryPath + "/" + Version
	MetadataPath = ResourcePath + "/" + MetadataName
)

// MetadataName ends the addresses of all capabilities: QGIS takes any other one for that of another service.
const MetadataName = "WMTSCapabilities.xml"

// The types of documents. Some clients know only the second one of XML.
const (
	MIMEXML     = "application/xml"
	MIMETextXML = "text/xml"
)

// Operation is what a query asks for.
type Operation string

// The operations of the standard.
const (
	GetCapabilities Operation = "GetCapabilities"
	GetTile         Operation = "GetTile"
	GetFeatureInfo  Operation = "GetFeatureInfo"
)

// Format is a kind of file: its name in queries, and its name behind the dot of an address.
type Format struct{ MIME, Extension string }
