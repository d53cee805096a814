package ogcapi

import "tileserver/geo"

// TileMatrixSets is the document that lists tile matrix sets.
type TileMatrixSets struct {
	Links          []Link              `json:"links"`
	TileMatrixSets []TileMatrixSetItem `json:"tileMatrixSets"`
}

// TileMatrixSetItem is a tile matrix set in a list.
type TileMatrixSetItem struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URI   string `json:"uri"`
	CRS   string `json:"crs"`
	Links []Link `json:"links"`
}

const tileMatrixSetsPath = "/tileMatrixSets"

// TileMatrixSets returns the list of tile matrix sets.
func (s Site) TileMatrixSets(sets []*geo.TileMatrixSet) TileMatrixSets {
	list := TileMatrixSets{Links: s.selfLinks(tileMatrixSetsPath, ""), TileMatrixSets: []TileMatrixSetItem{}}
	for _, set := range sets {
		list.TileMatrixSets = append(list.TileMatrixSets, TileMatrixSetItem{
			ID: set.ID, Title: set.Title, URI: s.TileMatrixSetURI(set), CRS: set.CRS.URI(),
			Links: []Link{{Href: s.jsonAddress(tileMatrixSetsPath + "/" + set.ID), Rel: relSelf, Type: MIMEJSON, Title: set.ID}},
		})
	}
	return list
}

// TileMatrixSetURI returns the URI of a set: that of the OGC's register, or the address of its
// document.
func (s Site) TileMatrixSetURI(set *geo.TileMatrixSet) string {
	if set.URI != "" {
		return set.URI
	}
	return s.Root + tileMatrixSetsPath + "/" + set.ID
}
