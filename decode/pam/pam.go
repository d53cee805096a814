// Package pam reads the XML in which GDAL keeps what a raster format has no place
// for: the side file NAME.aux.xml, and the TIFF tag GDAL_METADATA. It gives what is
// written there as it is written, within bounds, and must never know what raster it
// is about, nor how a reference system is computed.
package pam

import "errors"

var (
	// ErrCorrupt is what a text gets that is not XML of the kind.
	ErrCorrupt = errors.New("corrupt GDAL metadata")
	// ErrLimit is what a text gets that asks for more than Limits allow.
	ErrLimit = errors.New("GDAL metadata over the limit")
)

// Limits bound what a text may make us do. All of them must be set.
type Limits struct {
	Bytes    int // of the text
	Elements int // in it
	Depth    int // of elements within elements
	Bands    int // that the raster has; what is about others is left out
	Points   int // control points that are kept; more of them are an error
}

// DefaultLimits are wide for what people have, attribute tables and histograms
// included, of a raster of so many bands.
func DefaultLimits(bands int) Limits {
	return Limits{Bytes: 8 << 20, Elements: 1 << 20, Depth: 64, Bands: bands, Points: 1 << 16}
}

// Document is what a text says of a raster.
type Document struct {
	CRS             string      // in WKT, or empty
	GeoTransform    *[6]float64 // x of the corner, x by column and by row; y of the corner, y by column and by row
	ControlPoints   []ControlPoint
	ControlPointCRS string // in WKT, or empty
	Metadata        Metadata
	Bands           map[int]*Band // from 0, those that the text is about
}

// ControlPoint is a pixel whose place is known. Columns and rows count from the
// outer corner of the first pixel.
type ControlPoint struct {
	Name, Info  string
	Column, Row float64
	X, Y, Z     float64
}

// Band is what a text says of one band. What it does not say is empty.
type Band struct {
	Description   string
	NoData        string // a number, as it is written
	Scale, Offset *float64
	Unit          string
	Color         string // Gray, Palette, Red, Green, Blue, Alpha, or one of many others
	Palette       []Color
	Categories    []string // the names of samples, from 0
	Metadata      Metadata
}

// Color is an entry of a palette.
type Color struct{ R, G, B, A uint8 }

// Metadata is values by domain and name. The domain of most has no name.
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

// Merge adds what over says, which wins where both say something.
func (m *Metadata) Merge(over Metadata) {
	for domain, values := range over {
		for name, value := range values {
			m.set(domain, name, value)
		}
	}
}

// band is the one of that number, from 0, or one that nobody sees.
func (d *Document) band(number int, limits Limits) *Band {
	if number < 0 || number >= limits.Bands {
		return new(Band)
	}
	if d.Bands[number] == nil {
		d.Bands[number] = new(Band)
	}
	return d.Bands[number]
}
