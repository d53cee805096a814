package tifftest

// Georeference says where on earth an image lies. It is north up.
type Georeference struct {
	EPSG             int
	Geographic       bool    // coordinates in degrees; else projected
	OriginX, OriginY float64 // of the upper left corner, or of the upper left pixel's center if PixelIsPoint
	PixelX, PixelY   float64 // the size of a pixel, both positive
	PixelIsPoint     bool
}

// GeoTIFF returns the GeoTIFF tags for g.
func GeoTIFF(g Georeference) []Tag {
	const (
		keyModelType, modelProjected, modelGeographic = 1024, 1, 2
		keyRasterType, pixelIsArea, pixelIsPoint      = 1025, 1, 2
		keyGeographicCRS, keyProjectedCRS             = 2048, 3072
	)
	model, crsKey := uint16(modelProjected), uint16(keyProjectedCRS)
	if g.Geographic {
		model, crsKey = modelGeographic, keyGeographicCRS
	}
	raster := uint16(pixelIsArea)
	if g.PixelIsPoint {
		raster = pixelIsPoint
	}
	return []Tag{
		{ID: tagModelPixelScale, Value: []float64{g.PixelX, g.PixelY, 0}},
		{ID: tagModelTiepoint, Value: []float64{0, 0, 0, g.OriginX, g.OriginY, 0}},
		{ID: tagGeoKeyDirectory, Value: []uint16{
			1, 1, 0, 3, // the version, and three keys
			keyModelType, 0, 1, model,
			keyRasterType, 0, 1, raster,
			crsKey, 0, 1, uint16(g.EPSG),
		}},
	}
}
