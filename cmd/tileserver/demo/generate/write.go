package main

import (
	"fmt"
	"strings"

	"tileserver/decode/tiff/tifftest"
)

// The location of the ground: UTM zone 10 south, around the point in the South Pacific farthest
// from land, so that the demo hides no real place.
const (
	utmZone10South = 32710
	westMeters     = 444000
	northMeters    = 4599000
)

const (
	tileSize       = 512
	smallestPixels = 256 // longer side of the last overview
	tagMetadata    = 42112
)

// raster is an image that is written with overviews.
type raster[R any] interface {
	size() (width, height int)
	halved() R
	image() tifftest.Image
}

// cog encodes a raster and its overviews as a Cloud Optimized GeoTIFF.
func cog[R raster[R]](full R, metadata string) ([]byte, error) {
	width, height := full.size()
	first := full.image()
	first.Tags = append(tifftest.GeoTIFF(tifftest.Georeference{
		EPSG:    utmZone10South,
		OriginX: westMeters, OriginY: northMeters,
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

// item is a metadata item of a band, in GDAL's model.
type item struct {
	band             int
	name, role, text string
}

// metadata returns items in the XML format of GDAL's metadata tag.
func metadata(items []item) string {
	var b strings.Builder
	b.WriteString("<GDALMetadata>\n")
	for _, i := range items {
		fmt.Fprintf(&b, "  <Item name=%q sample=\"%d\" role=%q>%s</Item>\n", i.name, i.band, i.role, i.text)
	}
	b.WriteString("</GDALMetadata>\n")
	return b.String()
}
