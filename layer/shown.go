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
func (l *Layer) shown(d *Dataset) (raster.Provider, error) {
	p := d.Provider
	var err error
	switch info := p.Info(); {
	case info.Colors.Space != raster.RGB:
		p, err = recolor.New(p)
	case info.Type.IsComplex():
		p = pyramid.NewMagnitudes(p)
	default:
		p = pyramid.NewSpread(p)
	}
	if err != nil {
		return nil, fmt.Errorf("colours: %w", err)
	}
	p = pyramid.NewCached(p, l.shelves.blocks)
	if d.CRS == nil {
		// On the earth, the georeference says which way up, of pixels as stored.
		p = pyramid.NewOriented(p)
	}
	return p, nil
}
