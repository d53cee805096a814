package display

import (
	"fmt"

	"tileserver/display/colormap"
	"tileserver/display/terrain"
	"tileserver/raster"
)

// shading is the light on a band of heights that is shown in colors.
type shading struct {
	heights *computation       // of the shown band, in meters
	sun     terrain.Parameters // of the hillshade that is the light
}

// resolveShaded resolves a shaded relief: the picture of the same spec without relief, lit by a
// hillshade of the same heights.
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
	heights, err := s.chooseComputation(info, r.bands)
	if err != nil {
		return nil, err
	}
	r.shading, r.isVerbatim = &shading{heights, *s.Relief}, false
	return r, nil
}

func (s Spec) isShaded() bool { return s.Relief != nil && s.Relief.Mode == terrain.ModeRelief }

// key identifies everything except the samples that the light depends on.
func (s *shading) key() string { return s.sun.String() + "|" + s.heights.key() }

// bytes returns the temporary bytes per pixel: a height and a brightness, each with coverage, and
// a copy of the sample with its coverage.
func (s *shading) bytes(sampleBytes int) int {
	return s.heights.dataType.Size() + 1 + 2 + sampleBytes + 1
}

// brightness computes the hillshade of a tile. The result is smaller than the tile by the halo.
func (s *shading) brightness(t raster.Tile, ground *GroundSpacing) (raster.Tile, error) {
	heights, err := s.heights.compute(t)
	if err != nil {
		return raster.Tile{}, err
	}
	return reliefOf(&s.sun, heights.Freeze(), ground, false)
}

// withoutHalo returns a tile of one band without its halo of one pixel.
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
