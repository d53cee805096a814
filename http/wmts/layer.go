package wmts

import (
	"math"
	"net/url"
	"strconv"

	"tileserver/geo"
	"tileserver/http/plain"
)

// Layer is what a document says of a layer. It has a style at least, the first of which is the one that it has by itself,
// and a tile set at least.
type Layer struct {
	ID, Title, Abstract string
	Bounds              geo.Bounds // degrees of longitude and latitude; left out where empty
	Styles              []Style
	TileSets            []TileSet

	// Formats are what tiles can be had in, whatever their style, the most useful one first: it is the one of addresses
	// that are filled in. There is one at least.
	Formats []Format
}

// Style is a way in which a layer is shown.
type Style struct {
	ID, Title string
	Legend    *Legend // or nil
}

// Legend is a picture of what colours mean, of exactly that size.
type Legend struct {
	Address, MIME string
	Width, Height int // pixels
}

// TileSet is a tile matrix set in which there are tiles of a layer.
type TileSet struct {
	Set    *geo.TileMatrixSet
	Bounds geo.Bounds // of the layer, in the CRS of the set; left out where empty
	Levels int        // of the set that the layer is worth looking at in, from the coarsest on

	// Limits are those of matrices that the layer is worth looking at in, in their order. A matrix that is not among them
	// is left out by clients.
	Limits []MatrixLimits
}

// MatrixLimits are the tiles of a layer in one matrix.
type MatrixLimits struct {
	Matrix string
	Limits
}

// IsNameable tells whether there is a name for the CRS of a set, without which no client knows where its tiles are.
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
	for _, format := range InfoFormats() {
		w.element("InfoFormat", format.MIME)
	}
	for i := range l.TileSets {
		writeLink(w, &l.TileSets[i])
	}
	d.writeResources(w, l)
	w.close("Layer")
}

// isAmbiguous tells whether a box of a layer is better left out: where another tile set came first that has the same CRS,
// or where another one has the same coordinates in the other order. OpenLayers does not tell EPSG:4326 from CRS84 then, and
// reads the box of one for that of the other; without either it takes that of the set.
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

// writeLink writes the limits only if there are some: an empty list of them makes viewers hang.
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

// writeResources writes addresses to be filled in. There is one of tiles, of the first format: OpenLayers takes all that
// there are in turn, as if they were servers of the same, and a map would be a patchwork of formats. It comes first, because
// GDAL takes whichever does.
func (d *Document) writeResources(w *writer, l *Layer) {
	template := d.Base + ResourcePath + "/" + url.PathEscape(l.ID) + "/{Style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}"
	first := l.Formats[0]
	w.empty("ResourceURL", "format", first.MIME, "resourceType", "tile", "template", template+"."+first.Extension)
	for _, format := range InfoFormats() {
		w.empty("ResourceURL", "format", format.MIME, "resourceType", "FeatureInfo", "template", template+"/{J}/{I}."+format.Extension)
	}
}

// isFinite tells whether bounds can be written, and are worth it.
func isFinite(b geo.Bounds) bool {
	return !b.Empty() && !math.IsInf(b.Width(), 0) && !math.IsInf(b.Height(), 0)
}
