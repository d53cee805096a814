package layer

import (
	"context"
	"math"
	"strconv"
	"strings"

	"tileserver/display/geotiff"
	"tileserver/display/npy"
	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
)

// renderData encodes the samples of the job's view as a file. Outside of the image, samples have no
// coverage.
func (j *Job) renderData(ctx context.Context) (result encodedPicture, err error) {
	result.mime = formats[j.request.Format].mime
	err = j.catalog.config.Gate.run(ctx, func() error {
		plan, err := j.plan(ctx)
		if err != nil {
			return err
		}
		rect := plan.View.Rect
		pixels := int64(rect.Width()) * int64(rect.Height())
		bytes := readingBytes(j.providers.pyramid.Provider().Info(), &plan) + j.providers.overviewBuildBytes(&plan) + pixels*int64(j.resolved.ComputingBytes()) + pixels*j.dataBytesPerPixel()
		return j.catalog.withMemory(ctx, bytes, func() error {
			tile, err := j.read(ctx, &plan)
			if err != nil {
				return err
			}
			damage := tile.Damage()
			if tile, err = j.resolved.Compute(tile, j.ground(plan.View)); err != nil {
				return err
			}
			result.bytes, err = j.encodeData(tile)
			result.damage = damage
			return err
		})
	})
	return result, err
}

// dataBytesPerPixel returns the approximate memory of encoding: copies of the samples and of their
// mask in the encoder and in the file.
func (j *Job) dataBytesPerPixel() int64 {
	const copies, maskBytes = 2, 8
	return copies * int64(j.resolved.SampleBytes()+maskBytes)
}

func (j *Job) encodeData(tile raster.Tile) ([]byte, error) {
	planes := make([][]byte, tile.Bands())
	for band := range planes {
		planes[band] = tile.Plane(band)
	}
	if j.request.Format == NPY {
		return npy.Append(nil, &npy.Array{
			Type: npy.Type(tile.Type()), Width: tile.Width(), Height: tile.Height(), Bands: planes, Coverage: coverageOf(tile), Mask: !j.request.Unmasked,
		})
	}
	image := geotiff.Image{
		Type: geotiff.Type(tile.Type()), Width: tile.Width(), Height: tile.Height(), Coverage: coverageOf(tile),
		Masking: geotiff.MaskImage, Place: j.place(), RGB: j.isInColor(tile),
	}
	for band, plane := range planes {
		image.Bands = append(image.Bands, j.dataBand(band, plane))
	}
	image.NoData = j.dataNoData()
	return j.catalog.encodeGeoTIFF(&image)
}

// isInColor reports whether the first three bands of the file are red, green and blue. Any three
// 8-bit bands count as such, so that simple viewers show them.
func (j *Job) isInColor(tile raster.Tile) bool {
	bands, kind := j.view.Bands, tile.Type()
	switch {
	case tile.Bands() == 3 && kind == raster.Uint8:
		return true
	case tile.Bands() < 3 || j.resolved.IsComputed() || kind != raster.Uint8 && kind != raster.Uint16:
		return false
	}
	info := j.providers.pyramid.Provider().Info()
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
func (j *Job) dataBand(index int, plane []byte) geotiff.Band {
	b := geotiff.Band{Samples: plane}
	if !j.resolved.IsComputed() {
		info := j.providers.pyramid.Provider().Info()
		own := info.Bands[j.view.Bands[index]]
		b.Name, b.Unit = printable(own.Name), printable(own.Unit)
		b.Scale, b.Offset = own.Scale, own.Offset
		b.IsOpacity = own.Color == raster.Alpha && index > 0 && index == len(j.view.Bands)-1 && !info.Premultiplied
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
func (j *Job) dataNoData() *float64 {
	if j.resolved.IsComputed() {
		return nil
	}
	info := j.providers.pyramid.Provider().Info()
	first := info.Bands[j.view.Bands[0]]
	for _, band := range j.view.Bands {
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
func (j *Job) place() *geotiff.Place {
	lattice, rect := j.view.Lattice, j.view.Rect
	corner := lattice.At(float64(rect.X0), float64(rect.Y0))
	right := lattice.At(float64(rect.X0+1), float64(rect.Y0))
	below := lattice.At(float64(rect.X0), float64(rect.Y0+1))
	crs := lattice.CRS
	if crs == nil {
		crs = j.providers.pyramid.CRS()
		if crs == nil || !isStraight(j.providers.pyramid) {
			return nil
		}
		to := j.providers.pyramid.Placement().Place
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
