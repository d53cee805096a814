package lerc

import "fmt"

const (
	oldMagic     = "CntZImage "
	oldVersion   = 11
	oldImageType = 8 // an image of counts and values
	oldMaxSide   = 40000
)

// oldSection is the header and body of a section of a CntZImage. The first section holds the counts
// of pixels, which define the mask; the second holds their values.
type oldSection struct {
	tileRows, tileColumns int
	highest               float32
	body                  []byte
}

func (in *reader) oldSection() (oldSection, error) {
	p := oldSection{tileRows: in.int32(), tileColumns: in.int32()}
	bodyBytes := in.int32()
	p.highest = in.float32()
	body, err := in.take(bodyBytes)
	p.body = body
	if in.failed {
		return oldSection{}, ErrTruncated
	}
	return p, err
}

// isUniform reports whether all counts are equal. isMask reports whether the counts are stored as a
// mask, as in Lerc2.
func (p *oldSection) isUniform() bool {
	return p.tileRows == 0 && p.tileColumns == 0 && len(p.body) == 0
}
func (p *oldSection) isMask() bool { return p.tileRows == 0 && p.tileColumns == 0 && len(p.body) > 0 }

// oldBand is one band. Only the first band has a section of counts, which all bands share.
type oldBand struct {
	Header
	counts, values oldSection
}

// readOldHeader reads the headers of all bands.
func readOldHeader(src []byte) (Header, error) {
	in := reader{src: src}
	first, err := readOldBand(&in, true)
	if err != nil {
		return Header{}, fmt.Errorf("header: %w", err)
	}
	h := first.Header
	h.ValidPixels = -1
	if first.counts.isUniform() {
		h.AllValid = first.counts.highest > 0
		h.ValidPixels = 0
		if h.AllValid {
			h.ValidPixels = h.Width * h.Height
		}
	}
	for ; in.hasOldBand(); h.Bands++ {
		next, err := readOldBand(&in, false)
		if err == nil && (next.Width != h.Width || next.Height != h.Height) {
			err = ErrCorrupt
		}
		if err != nil {
			return Header{}, fmt.Errorf("header of band %d: %w", h.Bands, err)
		}
	}
	h.Bytes = in.pos
	return h, h.checkSize()
}

func (in *reader) hasOldBand() bool {
	rest := in.rest()
	return len(rest) >= len(oldMagic) && string(rest[:len(oldMagic)]) == oldMagic
}

func readOldBand(in *reader, isFirst bool) (oldBand, error) {
	in.skip(len(oldMagic))
	version, kind := in.int32(), in.int32()
	b := oldBand{Header: Header{Version: OldVersion, Type: Float32, Depth: 1, Bands: 1}}
	b.Height, b.Width = in.int32(), in.int32()
	b.MaxZError = in.float64()
	switch {
	case in.failed:
		return oldBand{}, ErrTruncated
	case version != oldVersion, kind != oldImageType:
		return oldBand{}, fmt.Errorf("CntZImage of version %d and kind %d: %w", version, kind, ErrUnsupported)
	case b.Width <= 0, b.Height <= 0, b.Width > oldMaxSide, b.Height > oldMaxSide, !(b.MaxZError >= 0):
		return oldBand{}, fmt.Errorf("%d by %d pixels, error bound %v: %w", b.Width, b.Height, b.MaxZError, ErrCorrupt)
	}
	var err error
	if isFirst {
		if b.counts, err = in.oldSection(); err != nil {
			return oldBand{}, fmt.Errorf("counts: %w", err)
		}
	}
	if b.values, err = in.oldSection(); err != nil {
		return oldBand{}, fmt.Errorf("values: %w", err)
	}
	return b, nil
}

// decodeOld decodes all bands. mask may be nil if the header declares all pixels valid.
func decodeOld(dst, mask, src []byte) error {
	in := reader{src: src}
	data := samplesOf[float32](dst)
	for index := 0; len(data) > 0; index++ {
		b, err := readOldBand(&in, index == 0)
		if err != nil {
			return fmt.Errorf("band %d: %w", index, err)
		}
		pixels := b.Width * b.Height
		tiles := oldTiles{width: b.Width, height: b.Height, data: data[:pixels], step: 2 * b.MaxZError, highest: b.values.highest}
		if mask != nil {
			tiles.mask = mask[index*pixels : (index+1)*pixels]
			if index > 0 {
				copy(tiles.mask, mask[:pixels])
			} else if err := tiles.readCounts(&b.counts); err != nil {
				return fmt.Errorf("counts: %w", err)
			}
		}
		clear(tiles.data)
		if err := tiles.read(&b.values, (*oldTiles).readValues); err != nil {
			return fmt.Errorf("band %d: %w", index, err)
		}
		data = data[pixels:]
	}
	return nil
}
