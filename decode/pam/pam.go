// Package pam parses GDAL's persistent auxiliary metadata: the XML side file NAME.aux.xml and the
// TIFF tag GDAL_METADATA. Decoders and decode/georeference call it. It returns values as they are
// written, within limits. It knows neither the raster that they describe nor coordinate reference
// systems.
package pam

import (
	"errors"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports a text that is not XML of the expected kind.
	ErrCorrupt = decode.Corrupt("corrupt GDAL metadata")
	// ErrLimit reports a text that exceeds the Limits.
	ErrLimit = errors.New("GDAL metadata over the limit")
)

// Limits bound the work for a text. All of them must be set.
type Limits struct {
	Bytes    int // length of the text
	Elements int // number of elements
	Depth    int // depth of nested elements
	Bands    int // bands of the raster; values of other bands are dropped
	Points   int // control points; more of them are an error
}

// DefaultLimits returns limits that are generous for real files with attribute tables and
// histograms. bands is the number of bands of the raster.
func DefaultLimits(bands int) Limits {
	return Limits{Bytes: 8 << 20, Elements: 1 << 20, Depth: 64, Bands: bands, Points: 1 << 16}
}

// Document holds the metadata of a raster.
type Document struct {
	CRS string // in WKT, or empty
	// X of the corner, x per column and per row; y of the corner, y per column and per row.
	GeoTransform    *[6]float64
	ControlPoints   []ControlPoint
	ControlPointCRS string // in WKT, or empty
	Metadata        Metadata
	Bands           map[int]*Band // by index from 0; only bands that the text mentions
}

// ControlPoint is a pixel with known coordinates. Columns and rows count from the outer corner of
// the first pixel.
type ControlPoint struct {
	Name, Info  string
	Column, Row float64
	X, Y, Z     float64
}

// Band holds the metadata of one band. Missing values are empty.
type Band struct {
	Description   string
	NoData        string // a number, as written
	Scale, Offset *float64
	Unit          string
	Color         string // Gray, Palette, Red, Green, Blue, Alpha, or one of many others
	Palette       []Color
	Categories    []string // names of sample values, from 0
	Metadata      Metadata
}

// Color is a palette entry.
type Color struct{ R, G, B, A uint8 }

// Metadata holds values by domain and name. The default domain has an empty name.
type Metadata map[string]map[string]string

func (m *Metadata) set(domain, name, value string) {
	if *m == nil {
		*m = make(Metadata)
	}
	if (*m)[domain] == nil {
		(*m)[domain] = make(map[string]string)
	}
	(*m)[domain][name] = value
}

// Merge adds the values of over, which take precedence.
func (m *Metadata) Merge(over Metadata) {
	for domain, values := range over {
		for name, value := range values {
			m.set(domain, name, value)
		}
	}
}

// band returns the band with an index, adding it if necessary. For an index outside the limits it
// returns a band that is not part of the document.
func (d *Document) band(number int, limits Limits) *Band {
	if number < 0 || number >= limits.Bands {
		return new(Band)
	}
	if d.Bands[number] == nil {
		d.Bands[number] = new(Band)
	}
	return d.Bands[number]
}
