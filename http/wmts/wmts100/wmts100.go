// Package wmts100 implements the syntax of the OGC Web Map Tile Service 1.0.0: it parses queries, and
// writes capabilities, feature info and exception reports. It must never know HTTP or how layers
// are read.
package wmts100

// Version is the only supported version of the standard.
const Version = "1.0.0"

// The well-known paths of the service.
const (
	QueryPath    = "/wmts"
	ResourcePath = QueryPath + "/" + Version
	MetadataPath = ResourcePath + "/" + MetadataName
)

// MetadataName ends the addresses of all capabilities. QGIS takes another name for another service.
const MetadataName = "WMTSCapabilities.xml"

// The media types of XML documents. Some clients know only the second.
const (
	MIMEXML     = "application/xml"
	MIMETextXML = "text/xml"
)

// Operation is an operation of the standard.
type Operation string

// The operations of the standard.
const (
	GetCapabilities Operation = "GetCapabilities"
	GetTile         Operation = "GetTile"
	GetFeatureInfo  Operation = "GetFeatureInfo"
)

// Format is a format with its media type in queries and its extension in resource addresses.
type Format struct{ MIME, Extension string }
