package pyramid

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tileserver/cmd/tileserver/usage"
	"tileserver/decode/container"
	"tileserver/encode/cog"
	"tileserver/raster"
	"tileserver/raster/recolor"
	"tileserver/raster/wrap"
)

// An image is what is written of an input.
type image struct {
	pixels raster.Provider
	file   *cog.Image
	notes  []string // what the file cannot have
}

// imageOf returns what to write of an image of a file.
func (o *Options) imageOf(ctx context.Context, f container.File, number int) (*image, error) {
	m, err := container.ImageOf(f, number)
	if err == nil {
		err = m.Unsupported()
	}
	if err != nil {
		return nil, err
	}
	model, err := m.RPC(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	facts, describeErr := container.Describe(ctx, f, number, nil)
	if describeErr != nil {
		return nil, describeErr
	}
	place := m.Georeference()
	img := &image{file: &cog.Image{Coding: o.coding(), Metadata: itemsOf(facts), Sparse: true}}
	if err != nil {
		img.note("its RPCs are left out: " + err.Error())
	}
	if model != nil {
		if img.file.RPC = numbersOf(model); img.file.RPC == nil {
			img.note("its RPCs are left out: they are those of an image that this one was turned out of")
		}
	}
	var note string
	img.file.Place, note = placeOf(&place)
	img.note(note)
	if img.pixels, err = pixelsOf(m, place.HasPlaces() || model != nil); err != nil {
		return nil, err
	}
	return img, o.describe(img)
}

func (img *image) note(text string) {
	if text != "" {
		img.notes = append(img.notes, text)
	}
}

// pixelsOf returns the pixels in colors that the file can have. They are turned upright, unless a place on
// the earth refers to them as they are stored.
func pixelsOf(m container.Image, isPlaced bool) (p raster.Provider, err error) {
	p = m
	if space := m.Info().Colors.Space; space != raster.RGB && space != raster.CMYK {
		if p, err = recolor.New(m); err != nil {
			return nil, fmt.Errorf("colors: %w", err)
		}
	}
	if !isPlaced {
		p = wrap.Orient(p)
	}
	return p, nil
}

// describe says what the file has: the bands of the input, levels, and how it tells nodata.
func (o *Options) describe(img *image) error {
	info := *img.pixels.Info()
	if info.Type.IsComplex() {
		return usage.Unusablef("complex samples have no overviews")
	}
	first := info.Levels[0]
	info.Levels, info.Orientation = cog.Levels(first.Width, first.Height, o.blockSize), 0
	info.Bands = slices.Clone(info.Bands)
	tellNoData(&info, o.losesDetail(), o.skips())
	img.file.Info = info
	return nil
}

// tellNoData makes sure that the file tells which pixels have no data. Samples that change cannot, so that a
// mask does. NaN is never data, and must be told of in overviews, too. What is skipped needs a mask, if there
// is nothing else.
func tellNoData(info *raster.Info, losesDetail, skips bool) {
	hasNoData := slices.ContainsFunc(info.Bands, func(b raster.Band) bool { return b.HasNoData })
	switch {
	case losesDetail && hasNoData:
		info.Masked = true
		for i := range info.Bands {
			info.Bands[i].HasNoData = false
		}
	case hasNoData || info.Masked || info.Alpha() >= 0:
	case info.Type.IsFloat():
		for i := range info.Bands {
			info.Bands[i].HasNoData, info.Bands[i].NoData = true, math.NaN()
		}
	case skips:
		info.Masked = true
	}
}
