package ogcapi

// operationSpec is an operation in the table of all operations.
type operationSpec struct {
	path, id, tag, summary string
	result                 string   // the name of the successful response
	parameters             []string // of the query
}

// The names of responses.
const (
	resultDocument   = "Document"
	resultDefinition = "Definition"
	resultTile       = "Tile"
	resultMap        = "Map"
	resultProblem    = "Problem" // of every error
)

// operations returns all operations. The standards prescribe the last parts of the ids.
func operations() []operationSpec {
	list := []operationSpec{
		{"/", "getLandingPage", tagCapabilities, "Where to begin", resultDocument, []string{"f"}},
		{conformancePath, "getConformance", tagCapabilities, "What the API keeps to", resultDocument, []string{"f"}},
		{definitionPath, "getDefinition", tagCapabilities, "This definition", resultDefinition, []string{"f"}},
		{tileMatrixSetsPath, "getTileMatrixSetsList", tagTiles, "The tile matrix sets", resultDocument, []string{"f"}},
		{tileMatrixSetsPath + "/{tileMatrixSetId}", "getTileMatrixSet", tagTiles, "A tile matrix set", resultDocument, []string{"f"}},
		{collectionsPath, "getCollections", tagCollections, "The collections", resultDocument, []string{"limit", "offset", "f"}},
		{collectionsPath + "/{collectionId}", "getCollection", tagCollections, "A collection", resultDocument, []string{"f"}},
		{collectionsPath + "/{collectionId}" + stylesPath, "getStyles", tagCollections, "The styles of a collection", resultDocument, []string{"f"}},
		{collectionsPath + "/{collectionId}" + stylesPath + "/{styleId}", "getStyle", tagCollections, "A style of a collection", resultDocument, []string{"f"}},
	}
	for _, origin := range []struct{ path, id, what string }{
		{"", "dataset", "the topmost collections on each other, or of those that are named"},
		{collectionsPath + "/{collectionId}", "collection", "a collection"},
		{collectionsPath + "/{collectionId}" + stylesPath + "/{styleId}", "collection.style", "a collection in a style"},
	} {
		list = append(list, mapOperations(origin.path, origin.id, origin.what)...)
	}
	return list
}

// mapOperations returns the operations on the map of an origin.
func mapOperations(path, id, what string) []operationSpec {
	var selection []string
	if path == "" {
		selection = []string{"collections"}
	}
	with := func(names ...string) []string { return append(names, selection...) }
	path += "/map"
	return []operationSpec{
		{path, id + ".getMap", tagMaps, "A map of " + what, resultMap, with(
			"bbox", "bbox-crs", "subset", "subset-crs", "center", "center-crs", "crs", "width", "height", "scale-denominator", "bgcolor", "transparent", "pictureFormat")},
		{path + tilesPath, id + ".map.getTileSetsList", tagTiles, "The tilesets of " + what, resultDocument, with("f")},
		{path + tilesPath + "/{tileMatrixSetId}", id + ".map.getTileSet", tagTiles, "A tileset of " + what, resultDocument, with("f")},
		{path + tilesPath + "/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}", id + ".map.getTile", tagTiles, "A tile of " + what, resultTile, with("pictureFormat")},
	}
}
