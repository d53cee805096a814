package display

import (
	"fmt"

	"tileserver/display/colormap"
	"tileserver/display/terrain"
	"tileserver/raster"
)

// shade is the light on a band of heights that is shown in colors.
type shade struct {
	heights *values // of the same band, in meters
	sun     terrain.Parameters
}

// resolveShaded settles a shaded relief: the picture that the same spec makes without it, under
// the light that a hillshade of the same heights has.
func (s Spec) resolveShaded(info *raster.Info) (*Resolved, error) {
	flat := s
	flat.Relief = nil
	if s.ColorMap == "" && s.Colors == nil {
		flat.ColorMap = colormap.Hypsometric
	}
	if err := s.Relief.Validate(); err != nil {
		return nil, invalid("%v", err)
	}
	r, err := flat.Resolve(info)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", s.Relief.Mode, err)
	}
	heights, err := s.chooseValues(info, r.bands)
	if err != nil {
		return nil, err
	}
	r.shade, r.pictured = &shade{heights, *s.Relief}, false
	return r, nil
}

func (s Spec) isShaded() bool { return s.Relief != nil && s.Relief.Mode == terrain.ModeRelief }

// key is all that the light depends on but the samples.
func (s *shade) key() string { return s.sun.String() + "|" + s.heights.key() }

// bytes is what a pixel takes while its light is computed: its height and how bright it is, each
// with its coverage, and a copy of its sample.
func (s *shade) bytes(sampleBytes int) int {
	return s.heights.dataType.Size() + 1 + 2 + sampleBytes + 1
}

// of is how bright the pixels of a tile are. The tile has a halo, which the result has not.
func (s *shade) of(t raster.Tile, ground *Ground) (raster.Tile, error) {
	heights, err := s.heights.of(t)
	if err != nil {
		return raster.Tile{}, err
	}
	return reliefOf(&s.sun, heights.Freeze(), ground, false)
}

// withoutHalo is the inner part of a tile of one band.
func withoutHalo(t raster.Tile) (raster.Tile, error) {
	if t.Width() < 3 || t.Height() < 3 {
		return raster.Tile{}, fmt.Errorf("%dx%d pixels with a halo: %w", t.Width(), t.Height(), ErrMismatch)
	}
	b := raster.NewBuffer(t.Type(), t.Width()-2, t.Height()-2, 1)
	from, to := t.Plane(0), b.Plane(0)
	size := t.Type().Size()
	rowBytes := b.Width() * size
	for y := range b.Height() {
		copy(to[y*rowBytes:][:rowBytes], from[((y+1)*t.Width()+1)*size:])
	}
	b.SetValidity(inner(t.Validity(0), t.Width(), t.Height()))
	return b.Freeze(), nil
}
