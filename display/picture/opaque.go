package picture

// IsOpaque reports whether all pixels are opaque.
func (p *Picture) IsOpaque() bool {
	switch p.Format {
	case Gray, RGB, Gray16, RGB16:
		return true
	case Paletted:
		return p.hasOpaquePalette()
	}
	size := p.Format.BytesPerPixel()
	alphaBytes := 1
	if p.Format.IsDeep() {
		alphaBytes = 2
	}
	for y := range p.Height {
		for row := p.Row(y); len(row) > 0; row = row[size:] {
			for _, part := range row[size-alphaBytes : size] {
				if part != 255 {
					return false
				}
			}
		}
	}
	return true
}

// hasOpaquePalette reports whether all palette colors that occur in p are opaque.
func (p *Picture) hasOpaquePalette() bool {
	for y := range p.Height {
		for _, index := range p.Row(y) {
			if p.Palette[index].A != 255 {
				return false
			}
		}
	}
	return true
}
