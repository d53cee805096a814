package layer

import (
	"fmt"

	"tileserver/pyramid"
	"tileserver/pyramid/recolor"
	"tileserver/raster"
)

// shown is a dataset as it is to be seen, which style and statistics speak of.
//
// What is kept is what is made of a file's samples and not the samples: nothing else
// asks for those, it is made once for as long as it is kept, and takes three
// quarters of the memory of inks and half of that of complex numbers. The way up
// comes after that: a block may be put together from parts of some, and all of them
// are wanted again by its neighbours.
func (l *Layer) convert(d *Dataset) (raster.Provider, error) {
	p, err := ConvertSamples(d.Provider)
	if err != nil {
		return nil, err
	}
	p = pyramid.NewCached(p, l.blockCaches.blocks)
	if d.CRS == nil {
		// On the earth, the georeference says which way up, of pixels as stored.
		p = pyramid.NewOriented(p)
	}
	return p, nil
}

// ConvertSamples returns an image as styles speak of it: inks and other colours as red, green and blue, complex numbers as their
// magnitudes, samples of few bits spread over eight. It reads no pixels.
func ConvertSamples(p raster.Provider) (raster.Provider, error) {
	switch info := p.Info(); {
	case info.Colors.Space != raster.RGB:
		converted, err := recolor.New(p)
		if err != nil {
			return nil, fmt.Errorf("colours: %w", err)
		}
		return converted, nil
	case info.Type.IsComplex():
		return pyramid.NewMagnitudes(p), nil
	}
	return pyramid.NewSpread(p), nil
}
