package ogcapi

import "tileserver/geo"

// Tiling is a tile matrix set in which an origin has tiles.
type Tiling struct {
	Set    *geo.TileMatrixSet
	Bounds geo.Bounds // of the origin, in the CRS of the set
	Limits []Limit    // by matrix, up to the finest one that shows new detail
}

// Limit is the range of rows and columns of a tile matrix that has tiles.
type Limit struct {
	TileMatrix string `json:"tileMatrix"`
	MinTileRow int    `json:"minTileRow"`
	MaxTileRow int    `json:"maxTileRow"`
	MinTileCol int    `json:"minTileCol"`
	MaxTileCol int    `json:"maxTileCol"`
}

// Contains reports whether a tile is within the limit.
func (l Limit) Contains(row, col int) bool {
	return row >= l.MinTileRow && row <= l.MaxTileRow && col >= l.MinTileCol && col <= l.MaxTileCol
}

// TileSets is the document that lists tilesets.
type TileSets struct {
	Links    []Link        `json:"links"`
	TileSets []TileSetItem `json:"tilesets"`
}

// TileSetItem is a tileset in a list. It has limits and a template of tiles, so that clients can
// request tiles without the document of the tileset. The OGC's test suite does so.
type TileSetItem struct {
	Title            string  `json:"title"`
	DataType         string  `json:"dataType"`
	CRS              string  `json:"crs"`
	TileMatrixSetID  string  `json:"tileMatrixSetId"`
	TileMatrixSetURI string  `json:"tileMatrixSetURI"`
	Limits           []Limit `json:"tileMatrixSetLimits"`
	Links            []Link  `json:"links"`
}

// TileSet is the document of a tileset: an origin's tiles in a tile matrix set.
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

// BoundingBox is a box in the axis order of its CRS.
type BoundingBox struct {
	LowerLeft   [2]float64 `json:"lowerLeft"`
	UpperRight  [2]float64 `json:"upperRight"`
	CRS         string     `json:"crs"`
	OrderedAxes [2]string  `json:"orderedAxes"`
}

// CenterPoint is a good initial view.
type CenterPoint struct {
	Coordinates [2]float64 `json:"coordinates"`
	CRS         string     `json:"crs"`
	TileMatrix  string     `json:"tileMatrix"`
}

const tilesPath = "/tiles"

// TileSets returns the list of tilesets of an origin.
func (s Site) TileSets(of Origin, tilings []Tiling) TileSets {
	path := of.path() + tilesPath
	list := TileSets{Links: append(s.selfLinks(path, of.Selection), s.originLinks(of)...), TileSets: []TileSetItem{}}
	for i := range tilings {
		t := &tilings[i]
		document := s.jsonAddress(path+"/"+t.Set.ID) + joinQuery(of.Selection)
		item := TileSetItem{
			Title: titleOf(of, t), DataType: "map", CRS: t.crs(),
			TileMatrixSetID: t.Set.ID, TileMatrixSetURI: s.TileMatrixSetURI(t.Set), Limits: t.Limits,
			Links: []Link{
				{Href: document, Rel: relSelf, Type: MIMEJSON, Title: "The tileset"},
				s.schemeLink(t.Set),
			},
		}
		if formats := of.formats(); len(formats) > 0 {
			item.Links = append(item.Links, s.tilesLink(of, t, formats[0]))
		}
		list.TileSets = append(list.TileSets, item)
	}
	return list
}

// TileSet returns the document of a tileset of an origin.
func (s Site) TileSet(of Origin, attribution string, t *Tiling) TileSet {
	path := of.path() + tilesPath + "/" + t.Set.ID
	links := append(s.selfLinks(path, of.Selection), s.schemeLink(t.Set), s.schemeLink10(t.Set))
	formats := of.formats()
	for i := range formats { // some clients take the first link and some the last: PNG is both
		links = append(links, s.tilesLink(of, t, formats[len(formats)-1-i]))
	}
	return TileSet{
		Title: titleOf(of, t), Attribution: attribution, DataType: "map", CRS: t.crs(),
		TileMatrixSetID: t.Set.ID, TileMatrixSetURI: s.TileMatrixSetURI(t.Set),
		Limits: t.Limits, BoundingBox: t.box(),
		CenterPoint: CenterPoint{Coordinates: t.ordered(t.Bounds.Center()), CRS: t.crs(), TileMatrix: t.overviewLimit().TileMatrix},
		Links:       append(links, s.originLinks(of)...),
	}
}

// tilesLink returns the template of the addresses of tiles in a format.
func (s Site) tilesLink(of Origin, t *Tiling, f Format) Link {
	return Link{
		Href: s.picture(of, of.path()+tilesPath+"/"+t.Set.ID+"/{tileMatrix}/{tileRow}/{tileCol}", f.Name),
		Rel:  relItem, Type: f.Types[0], Title: "Tiles as " + f.Title, Templated: true,
	}
}

// overviewLimit returns the limits of the finest matrix with at most two tiles a side.
func (t *Tiling) overviewLimit() Limit {
	found := t.Limits[0]
	for _, l := range t.Limits {
		if l.MaxTileRow-l.MinTileRow < 2 && l.MaxTileCol-l.MinTileCol < 2 {
			found = l
		}
	}
	return found
}

// originLinks returns the link to the description of an origin, if it is not the dataset.
func (s Site) originLinks(of Origin) []Link {
	if of.Collection == "" {
		return nil
	}
	return []Link{{Href: s.jsonAddress(of.resource()), Rel: relCollection, Type: MIMEJSON, Title: of.Title}}
}

func (s Site) schemeLink(set *geo.TileMatrixSet) Link {
	return Link{Href: s.jsonAddress(tileMatrixSetsPath + "/" + set.ID), Rel: relTilingScheme, Type: MIMEJSON, Title: "The tile matrix set " + set.ID}
}

// schemeLink10 must follow schemeLink: OpenLayers reads version 2.0 and takes the first link, GDAL
// up to 3.6 reads version 1.0 and takes the last.
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

// ordered returns the coordinates of a point in axis order.
func (t *Tiling) ordered(p geo.Point) [2]float64 {
	first, second := t.Set.CRS.Ordered(p)
	return [2]float64{first, second}
}
