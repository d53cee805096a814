package wmts100

import (
	"math"
	"net/url"
	"strconv"

	"tileserver/geo"
	"tileserver/http/plain"
)

// Layer describes a layer for a document. It has at least one style, of which the first is the
// default, and at least one tile set.
type Layer struct {
	ID, Title, Abstract string
	Bounds              geo.Bounds // degrees of longitude and latitude; omitted if empty
	Styles              []Style
	TileSets            []TileSet

	// Formats are the formats of tiles in any style, at least one. The first is that of resource
	// templates.
	Formats []Format

	InfoFormats []Format // of the values at a pixel; empty if they are not told
}

// Style is a style of a layer.
type Style struct {
	ID, Title string
	Legend    *Legend // or nil
}

// Legend is a legend picture of exactly that size.
type Legend struct {
	Address, MIME string
	Width, Height int // pixels
}

// TileSet is a tile matrix set in which a layer has tiles.
type TileSet struct {
	Set    *geo.TileMatrixSet
	Bounds geo.Bounds // of the layer, in the CRS of the set; omitted if empty
	Levels int        // the useful levels, from the coarsest

	// Limits are the limits of useful matrices, in their order. Clients skip a matrix without
	// limits.
	Limits []MatrixLimits
}

// MatrixLimits are the limits of a layer in one matrix.
type MatrixLimits struct {
	Matrix string
	Limits
}

// IsNameable reports whether the CRS of a set has a URN. Clients cannot place its tiles otherwise.
func IsNameable(set *geo.TileMatrixSet) bool { return set.CRS != nil && set.CRS.URN() != "" }

func (d *Document) writeLayer(w *writer, l *Layer) {
	title := plain.Text(l.Title, maxTitleRunes)
	if title == "" {
		title = l.ID
	}
	w.open("Layer")
	w.element("ows:Title", title)
	w.optional("ows:Abstract", plain.Text(l.Abstract, maxAbstractRunes))
	if isFinite(l.Bounds) {
		b := l.Bounds
		w.line("ows:WGS84BoundingBox", "ows:LowerCorner", pair(b.MinX, b.MinY), "ows:UpperCorner", pair(b.MaxX, b.MaxY))
	}
	w.element("ows:Identifier", l.ID)
	for _, t := range l.TileSets {
		if !l.isAmbiguous(t) {
			writeBox(w, t.Set.CRS, t.Bounds)
		}
	}
	for i := range l.Styles {
		writeStyle(w, &l.Styles[i], i == 0)
	}
	for _, format := range l.Formats {
		w.element("Format", format.MIME)
	}
	for _, format := range l.InfoFormats {
		w.element("InfoFormat", format.MIME)
	}
	for i := range l.TileSets {
		writeLink(w, &l.TileSets[i])
	}
	d.writeResources(w, l)
	w.close("Layer")
}

// isAmbiguous reports whether the box of a tile set must be omitted: a previous set has the same
// CRS, or another one has the same coordinates in the other order. OpenLayers then mistakes the box
// of CRS84 for that of EPSG:4326; without the boxes it uses those of the sets.
func (l *Layer) isAmbiguous(t TileSet) bool {
	own := t.Set.CRS
	for _, other := range l.TileSets {
		if other.Set == t.Set {
			break
		}
		if other.Set.CRS.URN() == own.URN() {
			return true
		}
	}
	for _, other := range l.TileSets {
		if c := other.Set.CRS; c.Key() == own.Key() && c.NorthingFirst() != own.NorthingFirst() {
			return true
		}
	}
	return false
}

func writeStyle(w *writer, s *Style, isDefault bool) {
	title := plain.Text(s.Title, maxTitleRunes)
	if title == "" {
		title = s.ID
	}
	w.open("Style", "isDefault", strconv.FormatBool(isDefault))
	w.element("ows:Title", title)
	w.element("ows:Identifier", s.ID)
	if s.Legend != nil {
		w.empty("LegendURL", "format", s.Legend.MIME, "xlink:href", s.Legend.Address,
			"width", strconv.Itoa(s.Legend.Width), "height", strconv.Itoa(s.Legend.Height))
	}
	w.close("Style")
}

// writeLink omits an empty list of limits, which makes viewers hang.
func writeLink(w *writer, t *TileSet) {
	w.open("TileMatrixSetLink")
	w.element("TileMatrixSet", t.Set.ID)
	if len(t.Limits) > 0 {
		w.open("TileMatrixSetLimits")
		for _, l := range t.Limits {
			w.line("TileMatrixLimits", "TileMatrix", l.Matrix,
				"MinTileRow", strconv.Itoa(l.MinRow), "MaxTileRow", strconv.Itoa(l.MaxRow),
				"MinTileCol", strconv.Itoa(l.MinColumn), "MaxTileCol", strconv.Itoa(l.MaxColumn))
		}
		w.close("TileMatrixSetLimits")
	}
	w.close("TileMatrixSetLink")
}

// writeResources writes the resource templates. It writes one template of tiles only: OpenLayers
// would use several in turn, as mirrors, and mix formats in a map. It must be the first template,
// because GDAL takes the first of any type.
func (d *Document) writeResources(w *writer, l *Layer) {
	template := d.Base + ResourcePath + "/" + url.PathEscape(l.ID) + "/{Style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}"
	first := l.Formats[0]
	w.empty("ResourceURL", "format", first.MIME, "resourceType", "tile", "template", template+"."+first.Extension)
	for _, format := range l.InfoFormats {
		w.empty("ResourceURL", "format", format.MIME, "resourceType", "FeatureInfo", "template", template+"/{J}/{I}."+format.Extension)
	}
}

// isFinite reports whether bounds are finite and not empty.
func isFinite(b geo.Bounds) bool {
	return !b.Empty() && !math.IsInf(b.Width(), 0) && !math.IsInf(b.Height(), 0)
}
