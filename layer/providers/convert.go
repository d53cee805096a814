package providers

import (
	"fmt"

	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/recolor"
	"tileserver/raster/wrap"
)

// Convert returns the provider that all others of a version read: converted samples, cached, and
// upright. isPlaced says that the image has a CRS: its placement refers to the pixels as stored, so
// they are not turned.
//
// The cache holds converted samples instead of the file's own: nothing else reads those, conversion
// then happens once, and converted samples take three quarters of the memory of CMYK colors and
// half of that of complex numbers. Orientation follows the cache, because a turned block may
// combine parts of several blocks that its neighbors need too.
func (c *Config) Convert(stored raster.Provider, isPlaced bool) (raster.Provider, error) {
	p, err := ConvertSamples(stored)
	if err != nil {
		return nil, err
	}
	p = blockcache.Wrap(p, c.Caches.blocks)
	if !isPlaced {
		p = wrap.Orient(p)
	}
	return p, nil
}

// ConvertSamples returns a provider of the samples that styles refer to: red, green and blue for
// other color spaces, magnitudes for complex numbers, and eight bits for samples of fewer bits. It
// reads no pixels.
func ConvertSamples(p raster.Provider) (raster.Provider, error) {
	switch info := p.Info(); {
	case info.Colors.Space != raster.RGB:
		converted, err := recolor.New(p)
		if err != nil {
			return nil, fmt.Errorf("colors: %w", err)
		}
		return converted, nil
	case info.Type.IsComplex():
		return wrap.Magnitudes(p), nil
	}
	return wrap.Spread(p), nil
}
