package main

import (
	"fmt"
	"strings"

	"tileserver/decode/tiff/tifftest"
)

// Where the ground lies: UTM zone 10 south, around the place in the South Pacific that is farthest from all land, so
// that it hides no real place.
const (
	utmZone10South = 32710
	westMetres     = 444000
	northMetres    = 4599000
)

const (
	tileSize       = 512
	smallestPixels = 256 // of the longer side of the last overview
	tagMetadata    = 42112
)

// raster is what becomes a file with overviews.
type raster[R any] interface {
	size() (width, height int)
	halved() R
	image() tifftest.Image
}

// cog is a raster and its overviews as a Cloud Optimized GeoTIFF.
func cog[R raster[R]](full R, metadata string) ([]byte, error) {
	width, height := full.size()
	first := full.image()
	first.Tags = append(tifftest.GeoTIFF(tifftest.Georeference{
		EPSG:    utmZone10South,
		OriginX: westMetres, OriginY: northMetres,
		PixelX: ground.width / float64(width), PixelY: ground.height / float64(height),
	}), tifftest.Tag{ID: tagMetadata, Value: metadata})
	images := []tifftest.Image{first}
	for level := full; max(width, height) > smallestPixels; width, height = level.size() {
		level = level.halved()
		overview := level.image()
		overview.Subfile = tifftest.Overview
		images = append(images, overview)
	}
	data, err := tifftest.File{COG: true, Images: images}.Encode()
	if err != nil {
		return nil, fmt.Errorf("write a TIFF: %w", err)
	}
	return data, nil
}

// item is a fact about a band, as GDAL notes it.
type item struct {
	band             int
	name, role, text string
}

// metadata is facts as GDAL writes them into a tag.
func metadata(items []item) string {
	var b strings.Builder
	b.WriteString("<GDALMetadata>\n")
	for _, i := range items {
		fmt.Fprintf(&b, "  <Item name=%q sample=\"%d\" role=%q>%s</Item>\n", i.name, i.band, i.role, i.text)
	}
	b.WriteString("</GDALMetadata>\n")
	return b.String()
}
