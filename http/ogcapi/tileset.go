package ogcapi

import "tileserver/geo"

// Tiling is a tile matrix set in which there are tiles of something.
type Tiling struct {
	Set    *geo.TileMatrixSet
	Bounds geo.Bounds // of that something, in the system of the set
	Limits []Limit    // matrix by matrix, from the first to the last that has something new to show
}

// Limit is the part of a tile matrix that has tiles.
type Limit struct {
	TileMatrix string `json:"tileMatrix"`
	MinTileRow int    `json:"minTileRow"`
	MaxTileRow int    `json:"maxTileRow"`
	MinTileCol int    `json:"minTileCol"`
	MaxTileCol int    `json:"maxTileCol"`
}

// Contains tells whether a tile is within the limit.
func (l Limit) Contains(row, col int) bool {
	return row >= l.MinTileRow && row <= l.MaxTileRow && col >= l.MinTileCol && col <= l.MaxTileCol
}

// TileSets is a list of tilesets.
type TileSets struct {
	Links    []Link        `json:"links"`
	TileSets []TileSetItem `json:"tilesets"`
}

// TileSetItem is a tileset among others. With its limits and a template, a client can ask for
// tiles without reading the document of the tileset, as the OGC's test suite does.
type TileSetItem struct {
	Title            string  `json:"title"`
	DataType         string  `json:"dataType"`
	CRS              string  `json:"crs"`
	TileMatrixSetID  string  `json:"tileMatrixSetId"`
	TileMatrixSetURI string  `json:"tileMatrixSetURI"`
	Limits           []Limit `json:"tileMatrixSetLimits"`
	Links            []Link  `json:"links"`
}

// TileSet is all that is known of the tiles of something in a tile matrix set.
type TileSet struct {
	Title            string `json:"title"`
	Attribution      string `json:"attribution,omitempty"`
	DataType         string `json:"dataType"`
	CRS              string `json:"crs"`
	TileMatrixSetID  string `json:"tileMatrixSetId"`
	TileMatrixSetURI string `json:"tileMatrixSetURI"`

	Limits      []Limit     `json:"tileMatrixSetLimits"`
	BoundingBox BoundingBox `json:"boundingBox"`
	CenterPoint CenterPoint `json:"centerPoint"`
	Links       []Link      `json:"links"`
}

// BoundingBox is a box whose numbers follow the axes of its system.
type BoundingBox struct {
	LowerLeft   [2]float64 `json:"lowerLeft"`
	UpperRight  [2]float64 `json:"upperRight"`
	CRS         string     `json:"crs"`
	OrderedAxes [2]string  `json:"orderedAxes"`
}

// CenterPoint is what is good to look at first.
type CenterPoint struct {
	Coordinates [2]float64 `json:"coordinates"`
	CRS         string     `json:"crs"`
	TileMatrix  string     `json:"tileMatrix"`
}

const tilesPath = "/tiles"

// TileSets is the document of all tilesets of an origin.
func (s Site) TileSets(of Origin, tilings []Tiling) TileSets {
	path := of.path() + tilesPath
	list := TileSets{Links: append(s.both(path, of.Selection), s.describing(of)...), TileSets: []TileSetItem{}}
	for i := range tilings {
		t := &tilings[i]
		document := s.document(path+"/"+t.Set.ID) + and(of.Selection)
		list.TileSets = append(list.TileSets, TileSetItem{
			Title: titleOf(of, t), DataType: "map", CRS: t.crs(),
			TileMatrixSetID: t.Set.ID, TileMatrixSetURI: s.TileMatrixSetURI(t.Set), Limits: t.Limits,
			Links: []Link{
				{Href: document, Rel: relSelf, Type: MIMEJSON, Title: "The tileset"},
				s.schemeLink(t.Set),
				s.tilesLink(of, t, PictureFormats()[0]),
			},
		})
	}
	return list
}

// TileSet is the document of a tileset of an origin.
func (s Site) TileSet(of Origin, attribution string, t *Tiling) TileSet {
	path := of.path() + tilesPath + "/" + t.Set.ID
	links := append(s.both(path, of.Selection), s.schemeLink(t.Set), s.schemeLink10(t.Set))
	formats := PictureFormats()
	for i := range formats { // clients that know no better take the last or the first: PNG is both
		links = append(links, s.tilesLink(of, t, formats[len(formats)-1-i]))
	}
	return TileSet{
		Title: titleOf(of, t), Attribution: attribution, DataType: "map", CRS: t.crs(),
		TileMatrixSetID: t.Set.ID, TileMatrixSetURI: s.TileMatrixSetURI(t.Set),
		Limits: t.Limits, BoundingBox: t.box(),
		CenterPoint: CenterPoint{Coordinates: t.ordered(t.Bounds.Center()), CRS: t.crs(), TileMatrix: t.fitting().TileMatrix},
		Links:       append(links, s.describing(of)...),
	}
}

// tilesLink is the template of the addresses of all tiles in a format.
func (s Site) tilesLink(of Origin, t *Tiling, f Format) Link {
	return Link{
		Href: s.picture(of, of.path()+tilesPath+"/"+t.Set.ID+"/{tileMatrix}/{tileRow}/{tileCol}", f.Name),
		Rel:  relItem, Type: f.Types[0], Title: "Tiles as " + f.Title, Templated: true,
	}
}

// fitting is the last matrix in which everything fits into two tiles a side.
func (t *Tiling) fitting() Limit {
	found := t.Limits[0]
	for _, l := range t.Limits {
		if l.MaxTileRow-l.MinTileRow < 2 && l.MaxTileCol-l.MinTileCol < 2 {
			found = l
		}
	}
	return found
}

// describing is the way to what an origin is.
func (s Site) describing(of Origin) []Link {
	if of.Collection == "" {
		return nil
	}
	return []Link{{Href: s.document(of.resource()), Rel: relCollection, Type: MIMEJSON, Title: of.Title}}
}

func (s Site) schemeLink(set *geo.TileMatrixSet) Link {
	return Link{Href: s.document(tileMatrixSetsPath + "/" + set.ID), Rel: relTilingScheme, Type: MIMEJSON, Title: "The tile matrix set " + set.ID}
}

// schemeLink10 comes after schemeLink: OpenLayers, which reads the newer version, takes the
// first, and GDAL to 3.6, which does not, the last.
func (s Site) schemeLink10(set *geo.TileMatrixSet) Link {
	link := s.schemeLink(set)
	link.Href += "&" + version10Query
	link.Title += " as version 1.0 of the standard has it"
	return link
}

func titleOf(of Origin, t *Tiling) string {
	title := of.Title
	if of.Style != "" {
		title += ", " + of.Style
	}
	return title + " in " + t.Set.ID
}

func (t *Tiling) crs() string { return t.Set.CRS.URI() }

func (t *Tiling) box() BoundingBox {
	first, second := t.Set.CRS.AxisAbbreviations()
	return BoundingBox{
		LowerLeft:  t.ordered(geo.Point{X: t.Bounds.MinX, Y: t.Bounds.MinY}),
		UpperRight: t.ordered(geo.Point{X: t.Bounds.MaxX, Y: t.Bounds.MaxY}),
		CRS:        t.crs(), OrderedAxes: [2]string{first, second},
	}
}

// ordered is a place as documents write it.
func (t *Tiling) ordered(p geo.Point) [2]float64 {
	first, second := t.Set.CRS.Ordered(p)
	return [2]float64{first, second}
}
