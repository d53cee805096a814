package layer

// MaxFileBytes returns about the most bytes that the file of the picture may have. Encoders make
// files larger than their pixels only of noise, and then hardly.
func (c *Composition) MaxFileBytes() int64 {
	o := &c.output
	pixels := int64(o.width) * int64(o.height)
	switch {
	case o.format.IsData():
		return c.parts[0].dataBytes() * pixels
	case o.deep:
		const bytesPerPixel = 8
		return bytesPerPixel * pixels
	}
	const bytesPerPixel = 4
	return bytesPerPixel * pixels
}

// dataBytes returns the most bytes per pixel of a file of samples: those of its bands and of a mask.
func (p *part) dataBytes() int64 {
	const maxMaskBytes = 8
	samples := int64(p.resolved.SampleBytes())
	return samples + min(samples, maxMaskBytes)
}

// IsCached reports whether the picture is in the cache. It may leave the cache at any time.
func (c *Composition) IsCached() bool { return c.catalog.pictures.Contains(c.key) }

// CountKept counts a picture that the client has kept, so that nothing is rendered.
func (c *Composition) CountKept() { c.catalog.config.Gate.CountCached() }
