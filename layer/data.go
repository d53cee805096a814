package layer

import (
	"context"
	"math"
	"strconv"
	"strings"

	"tileserver/display/geotiff"
	"tileserver/display/npy"
	"tileserver/geo"
	"tileserver/internal/threadtime"
	"tileserver/pyramid"
	"tileserver/raster"
)

// encodeSamples returns the samples of a part as a file. Outside of the image, samples have no
// coverage.
func (c *Composition) encodeSamples(ctx context.Context, d *drawing) (encodedPicture, error) {
	memory := c.catalog.pixels.Get(d.providers.Pyramid.BytesOf(&d.plan))
	defer c.catalog.pixels.Put(memory) // a file has bytes of its own
	tile, err := d.read(ctx, memory)
	if err != nil {
		return encodedPicture{}, d.fail(err)
	}
	result := encodedPicture{mime: c.output.format.MIME(), damage: tile.Damage()}
	if tile, err = d.resolved.Compute(tile, d.ground()); err != nil {
		return encodedPicture{}, d.fail(err)
	}
	began := threadtime.Now()
	result.bytes, err = c.catalog.encodeData(d.part, tile)
	learnSince(ctx, c.catalog.encoding[c.output.format], c.output.pixels(), began)
	return result, err
}

func (c *Catalog) encodeData(p *part, tile raster.Tile) ([]byte, error) {
	planes := make([][]byte, tile.Bands())
	for band := range planes {
		planes[band] = tile.Plane(band)
	}
	if p.request.Format == NPY {
		return npy.Append(nil, &npy.Array{
			Type: npy.Type(tile.Type()), Width: tile.Width(), Height: tile.Height(), Bands: planes, Coverage: coverageOf(tile), Mask: !p.request.Unmasked,
		})
	}
	image := geotiff.Image{
		Type: geotiff.Type(tile.Type()), Width: tile.Width(), Height: tile.Height(), Coverage: coverageOf(tile),
		Masking: geotiff.MaskImage, Place: p.place(), RGB: p.isInColor(tile),
	}
	for band, plane := range planes {
		image.Bands = append(image.Bands, p.dataBand(band, plane))
	}
	image.NoData = p.dataNoData()
	return c.encodeGeoTIFF(&image)
}

// isInColor reports whether the first three bands of the file are red, green and blue. Any three
// 8-bit bands count as such, so that simple viewers show them.
func (p *part) isInColor(tile raster.Tile) bool {
	bands, kind := p.view.Bands, tile.Type()
	switch {
	case tile.Bands() == 3 && kind == raster.Uint8:
		return true
	case tile.Bands() < 3 || p.resolved.IsComputed() || kind != raster.Uint8 && kind != raster.Uint16:
		return false
	}
	info := p.providers.Pyramid.Provider().Info()
	for i, color := range []raster.Color{raster.Red, raster.Green, raster.Blue} {
		if info.Bands[bands[i]].Color != color {
			return false
		}
	}
	return true
}

// maxReusedEncoderPixels is the size of an image above which its encoder, with its memory, is not
// reused.
const maxReusedEncoderPixels = 1 << 20

func (c *Catalog) encodeGeoTIFF(image *geotiff.Image) ([]byte, error) {
	encoder, _ := c.geotiffs.Get().(*geotiff.Encoder)
	if encoder == nil {
		encoder = new(geotiff.Encoder)
	}
	if image.Width*image.Height <= maxReusedEncoderPixels {
		defer c.geotiffs.Put(encoder)
	}
	return encoder.Encode(nil, image)
}

// coverageOf returns the coverage of a tile: nil if all pixels are valid, else one plane for all
// bands or one per band.
func coverageOf(tile raster.Tile) [][]uint8 {
	if tile.AllValid() {
		return nil
	}
	planes := make([][]uint8, 1)
	if tile.HasOwnValidity() {
		planes = make([][]uint8, tile.Bands())
	}
	for band := range planes {
		planes[band] = tile.Validity(band)
	}
	return planes
}

// dataBand returns the GeoTIFF band of an index of the view's bands. Computed bands have no name.
func (p *part) dataBand(index int, plane []byte) geotiff.Band {
	b := geotiff.Band{Samples: plane}
	if !p.resolved.IsComputed() {
		info := p.providers.Pyramid.Provider().Info()
		own := info.Bands[p.view.Bands[index]]
		b.Name, b.Unit = printable(own.Name), printable(own.Unit)
		b.Scale, b.Offset = own.Scale, own.Offset
		b.IsOpacity = own.Color == raster.Alpha && index > 0 && index == len(p.view.Bands)-1 && !info.Premultiplied
	}
	return b
}

// printable removes unprintable characters from a text of the file.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}

// dataNoData returns the nodata sample that all requested bands share, or nil.
func (p *part) dataNoData() *float64 {
	if p.resolved.IsComputed() {
		return nil
	}
	info := p.providers.Pyramid.Provider().Info()
	first := info.Bands[p.view.Bands[0]]
	for _, band := range p.view.Bands {
		if own := info.Bands[band]; !own.HasNoData || own.NoData != first.NoData {
			return nil
		}
	}
	value, ok := sampleValue(info.Type, first.NoData)
	if !ok {
		return nil
	}
	return &value
}

// place returns the georeference of the samples. It is nil if it is unknown or not affine.
func (p *part) place() *geotiff.Place {
	lattice, rect := p.view.Lattice, p.view.Rect
	corner := lattice.At(float64(rect.X0), float64(rect.Y0))
	right := lattice.At(float64(rect.X0+1), float64(rect.Y0))
	below := lattice.At(float64(rect.X0), float64(rect.Y0+1))
	crs := lattice.CRS
	if crs == nil {
		crs = p.providers.Pyramid.CRS()
		if crs == nil || !isStraight(p.providers.Pyramid) {
			return nil
		}
		to := p.providers.Pyramid.Placement().Place
		corner, right, below = to(corner), to(right), to(below)
	}
	return &geotiff.Place{
		Transform: geotiff.Affine{
			A: right.X - corner.X, B: below.X - corner.X, C: corner.X,
			D: right.Y - corner.Y, E: below.Y - corner.Y, F: corner.Y,
		},
		EPSG: epsgOf(crs), Geographic: crs.IsGeographic(),
	}
}

// isStraight reports whether the placement of the image is affine.
func isStraight(p *pyramid.Pyramid) bool { return geo.IsAffine(p.Placement()) }

// epsgOf returns the EPSG code of a CRS, or 0.
func epsgOf(crs *geo.CRS) int {
	text, _ := strings.CutPrefix(crs.Code(), "EPSG:")
	code, err := strconv.Atoi(text)
	if err != nil || code < 0 || code > math.MaxUint16 {
		return 0
	}
	return code
}
