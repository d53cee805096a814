package tiff

import (
	"cmp"
	"context"
	"fmt"

	"tileserver/decode/georeference"
	"tileserver/source"
)

// location is the tags that say where on earth an image is.
type location struct {
	geo georeference.GeoTIFF
	rpc []float64
}

func newLocation(d *directory) location {
	l := location{
		geo: georeference.GeoTIFF{
			Scale:     d.entries[tagPixelScale].floats(),
			Tiepoints: d.entries[tagTiepoints].floats(),
			Matrix:    d.entries[tagTransformation].floats(),
			Doubles:   d.entries[tagGeoDoubles].floats(),
		},
		rpc: d.entries[tagRPC].floats(),
	}
	if e := d.entries[tagGeoASCII]; e != nil {
		l.geo.Text = string(e.value)
	}
	for _, key := range d.entries[tagGeoKeys].uints() {
		l.geo.Keys = append(l.geo.Keys, uint16(key))
	}
	return l
}

// Georeference reads the GeoTIFF tags of the image and what lies beside it.
func (m *Image) Georeference() georeference.Georeference { return m.family.georeference() }

func (fam *family) georeference() georeference.Georeference {
	return georeference.Sources{Noted: fam.beside, Embedded: fam.full.location.geo.Georeference(), World: fam.world}.Join()
}

// ReadGeoreference reads the GeoTIFF tags of the first directory of src, which need have no image that can be decoded, nor
// any at all: other formats keep where they lie in such files.
func ReadGeoreference(ctx context.Context, src source.Source) (georeference.Georeference, error) {
	limits := DefaultLimits()
	limits.HeaderBytes, limits.MemoryBytes = mostGeoreferenceBytes, mostGeoreferenceBytes
	s, err := parseStructure(newReadAhead(ctx, src, limits.HeaderBytes), limits)
	if err != nil {
		return georeference.Georeference{}, fmt.Errorf("tiff: %w", cmp.Or(context.Cause(ctx), err))
	}
	l := newLocation(s.directories[0])
	return l.geo.Georeference(), nil
}

// mostGeoreferenceBytes is what a file may take that is there for its tags.
const mostGeoreferenceBytes = 4 << 20
