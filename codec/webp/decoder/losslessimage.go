package decoder

import (
	"fmt"

	"tileserver/codec/webp/vp8l"
	"tileserver/internal/reuse"
)

// readLossless reads the size of a lossless picture.
func (h *Header) readLossless() error {
	const headerBytes = 5
	if len(h.picture) < headerBytes || h.picture[0] != vp8l.Signature {
		return fmt.Errorf("no lossless signature: %w", ErrCorrupt)
	}
	r := bitReader{data: h.picture[1:]}
	h.Width, h.Height = r.uint(14)+1, r.uint(14)+1
	h.HasAlpha = r.uint(1) == 1
	if version := r.uint(3); version != 0 {
		return fmt.Errorf("version %d of lossless pictures: %w", version, ErrUnsupported)
	}
	return nil
}

// losslessDecoder decodes pictures and reuses its memory. A pixel holds blue in its lowest byte,
// then green, red and alpha.
type losslessDecoder struct {
	bits        bitReader
	tables      codeTables
	lengthTable codeTables // the code for code lengths
	lengths     [largestAlphabet]uint8
	groups      []codeGroup
	transforms  []transform
	pixels      []uint32
	cache       []uint32
}

// picture decodes a lossless picture whose header ReadHeader has checked. If the header declares
// the picture opaque, all pixels become opaque.
func (d *losslessDecoder) picture(data []byte, width, height int) ([]uint32, error) {
	const headerBytes, opaqueByte = 5, 1 << 4
	pixels, err := d.stream(data[headerBytes:], width, height)
	if err == nil && data[headerBytes-1]&opaqueByte == 0 {
		for i := range pixels {
			pixels[i] |= 0xff << 24
		}
	}
	return pixels, err
}

// stream decodes a picture without its header.
func (d *losslessDecoder) stream(data []byte, width, height int) ([]uint32, error) {
	d.bits = bitReader{data: data}
	d.transforms = d.transforms[:0]
	stored, err := d.readTransforms(width, height)
	if err != nil {
		return nil, err
	}
	d.pixels = reuse.Slice(d.pixels, max(stored, width)*height)
	if err := d.readImage(d.pixels[:stored*height], stored, true); err != nil {
		return nil, err
	}
	for i := len(d.transforms) - 1; i >= 0; i-- {
		d.transforms[i].undo(d.pixels, height)
	}
	return d.pixels[:width*height], nil
}

// readImage decodes an image into pixels. Only the main image may use several groups of codes; the
// images of transforms may not.
func (d *losslessDecoder) readImage(pixels []uint32, width int, isMain bool) error {
	r := &d.bits
	cacheBits := 0
	if r.uint(1) == 1 {
		if cacheBits = r.uint(4); cacheBits < 1 || cacheBits > maxCacheBits {
			return fmt.Errorf("a color cache of %d bits: %w", cacheBits, ErrCorrupt)
		}
	}
	image := entropyImage{pixels: pixels, width: width, cacheBits: cacheBits}
	count := 1
	if isMain && r.uint(1) == 1 {
		var err error
		if count, err = d.readGroupMap(&image); err != nil {
			return err
		}
	}
	d.tables.reset()
	d.groups = d.groups[:0]
	cacheSize := 0
	if cacheBits > 0 {
		cacheSize = 1 << cacheBits
	}
	for i := range count {
		g, err := d.readGroup(cacheSize)
		if err != nil {
			return fmt.Errorf("group %d of %d codes: %w", i+1, count, err)
		}
		d.groups = append(d.groups, g)
	}
	image.groups = d.groups
	d.cache = cleared(d.cache, cacheSize)
	image.cache = d.cache
	return image.read(r)
}

// readGroupMap reads the map from cells to groups of codes, and returns the number of groups.
func (d *losslessDecoder) readGroupMap(image *entropyImage) (int, error) {
	height := len(image.pixels) / image.width
	image.cellBits = d.bits.uint(3) + 2
	image.cellsWide = cells(image.width, image.cellBits)
	image.groupIndexes = make([]uint32, image.cellsWide*cells(height, image.cellBits))
	if err := d.readImage(image.groupIndexes, image.cellsWide, false); err != nil {
		return 0, fmt.Errorf("the map of groups: %w", err)
	}
	count := 1
	for i, p := range image.groupIndexes {
		group := p >> 8 & 0xffff
		image.groupIndexes[i] = group
		count = max(count, int(group)+1)
	}
	// Each group takes at least minBits bits, so a short stream cannot declare many groups.
	const minBits = 5 * 3
	if left := d.bits.count + 8*len(d.bits.data); count*minBits > left {
		return 0, fmt.Errorf("%d groups of codes in %d bits: %w", count, left, ErrCorrupt)
	}
	return count, nil
}

// cells returns the number of cells of 1<<bits pixels that cover a side.
func cells(side, bits int) int { return (side + 1<<bits - 1) >> bits }
