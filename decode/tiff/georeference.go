package tiff

import (
	"cmp"
	"context"
	"fmt"

	"tileserver/decode/georeference"
	"tileserver/decode/rpc"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
	"tileserver/source"
)

// location holds the tags that say where on earth an image lies.
type location struct {
	geo georeference.GeoTIFF
	rpc []float64
}

func newLocation(raw *ifd.Directory) location {
	l := location{
		geo: georeference.GeoTIFF{
			Scale:     raw.Entry(tag.PixelScale).Floats(),
			Tiepoints: raw.Entry(tag.Tiepoints).Floats(),
			Matrix:    raw.Entry(tag.Transformation).Floats(),
			Doubles:   raw.Entry(tag.GeoDoubles).Floats(),
		},
		rpc: raw.Entry(tag.RPC).Floats(),
	}
	if e := raw.Entry(tag.GeoASCII); e != nil {
		l.geo.Text = string(e.Value)
	}
	for _, key := range raw.Entry(tag.GeoKeys).Uints() {
		l.geo.Keys = append(l.geo.Keys, uint16(key))
	}
	return l
}

// Georeference returns the image's georeference, from its GeoTIFF tags and its side files.
func (m *Image) Georeference() georeference.Georeference { return m.group.georeference() }

func (g *imageGroup) georeference() georeference.Georeference {
	return georeference.Sources{PAM: g.Beside, Embedded: g.full.location.geo.Georeference(), World: g.world}.Join()
}

// ReadGeoreference reads the GeoTIFF tags of the first directory of src. The file need not have an
// image that can be decoded, or any image. Other formats embed such files for their georeference.
func ReadGeoreference(ctx context.Context, src source.Source) (georeference.Georeference, error) {
	l, err := readLocation(ctx, src)
	if err != nil {
		return georeference.Georeference{}, err
	}
	return l.geo.Georeference(), nil
}

// ReadRPC reads the camera model in the tags of such a file, or returns nil if there is none.
func ReadRPC(ctx context.Context, src source.Source) (*rpc.Model, error) {
	l, err := readLocation(ctx, src)
	if err != nil {
		return nil, err
	}
	return l.model()
}

// readLocation reads the tags of the first directory.
func readLocation(ctx context.Context, src source.Source) (*location, error) {
	limits := DefaultLimits()
	limits.HeaderBytes = maxGeoreferenceBytes
	s, err := parseStructure(ctx, src, limits, ifd.NewBudget(maxGeoreferenceBytes))
	if err != nil {
		return nil, fmt.Errorf("tiff: %w", cmp.Or(context.Cause(ctx), err))
	}
	l := newLocation(s.Directories[0])
	return &l, nil
}

// maxGeoreferenceBytes bounds a file that exists only for its tags.
const maxGeoreferenceBytes = 4 << 20
