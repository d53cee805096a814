package geotiff

import (
	"fmt"
	"math"
	"slices"
)

// An Encoder keeps the buffers and the deflate state of one image for the next. The zero value is ready. It must not be
// used by two goroutines at once; whoever has many keeps a pool of Encoders.
type Encoder struct {
	pages      [2]page // the image and its mask
	bands      bandRows
	mask       maskRows
	compressor compressor

	samples []byte // of a block
	row     []byte
	text    []byte
	merged  []uint8
}

// Encode appends img as a TIFF file to dst. On an error it returns dst as it was.
func (e *Encoder) Encode(dst []byte, img *Image) ([]byte, error) {
	if err := img.validate(); err != nil {
		return dst, err
	}
	pages, err := e.plan(img)
	defer e.forget()
	if err != nil {
		return dst, err
	}
	out := appendHeader(dst, pages[0].directory.big)
	out = appendRoom(out, pages)
	for i := range pages {
		if out, err = e.appendBlocks(out, len(dst), &pages[i], img.Compression); err != nil {
			return dst, fmt.Errorf("geotiff: page %d: %w", i, err)
		}
	}
	putDirectories(out[len(dst):], pages)
	return out, nil
}

// plan settles what pages there are and describes them.
func (e *Encoder) plan(img *Image) ([]page, error) {
	var tell telling
	tell, e.merged = img.tell(e.merged)
	pages := e.pages[:1]
	e.planImage(img, &tell)
	if len(tell.masks) > 0 {
		pages = e.pages[:2]
		e.planMask(img, &tell)
	}
	big, err := img.judgeSize(pages)
	if err != nil {
		return nil, err
	}
	e.text = pages[0].describeImage(img, big, e.text)
	if len(pages) > 1 {
		pages[1].describeMask(img, big)
	}
	return pages, nil
}

func (e *Encoder) planImage(img *Image, tell *telling) {
	p := &e.pages[0]
	samples := len(img.Bands)
	if tell.hasAlpha {
		samples++
	}
	p.grid = grid{width: img.Width, height: img.Height, samples: samples, sampleBits: 8 * img.Type.Size(), planes: samples}
	if img.RGB && len(img.Bands) == 3 {
		p.planes = 1
	}
	p.cut(img.TileSide)
	p.predictor = predictorNone
	if img.Compression == Deflate {
		p.predictor = img.Type.predictor()
	}
	e.bands = bandRows{img: img, alpha: tell.alpha, samples: samples, chunky: p.planes != samples}
	if img.NoData != nil {
		e.bands.fill = img.Type.sample(*img.NoData)
	}
	p.rows = &e.bands
}

func (e *Encoder) planMask(img *Image, tell *telling) {
	p, samples := &e.pages[1], len(tell.masks)
	p.grid = grid{width: img.Width, height: img.Height, samples: samples, sampleBits: 1, planes: samples}
	p.cut(img.TileSide)
	p.predictor = predictorNone
	e.mask = maskRows{img.Width, tell.masks}
	p.rows = &e.mask
}

// judgeSize refuses what has too many bytes and says whether the rest may need a BigTIFF.
func (img *Image) judgeSize(pages []page) (big bool, err error) {
	const (
		blockOverhead = 128      // of offsets, lengths and the frame of a zlib stream, and more than that
		fileOverhead  = 64 << 20 // of directories without them
	)
	maxBytes := img.MaxBytes
	if maxBytes == 0 {
		maxBytes = DefaultMaxBytes
	}
	var raw, blocks int64
	for i := range pages {
		raw += pages[i].rawBytes()
		blocks += pages[i].rawBytes() / int64(pages[i].blockBytes())
	}
	if raw > maxBytes {
		return false, fmt.Errorf("%w: %d bytes of blocks, at most %d", ErrTooLarge, raw, maxBytes)
	}
	most := raw + raw>>8 + blocks*blockOverhead + fileOverhead // what deflate cannot compress grows a little
	if most > math.MaxInt {
		return false, fmt.Errorf("%w: %d bytes of blocks are more than memory has addresses", ErrTooLarge, raw)
	}
	return img.Big || most > math.MaxUint32, nil
}

// forget drops what is the caller's.
func (e *Encoder) forget() {
	e.bands.img, e.bands.alpha, e.mask.planes = nil, nil, nil
}

// appendRoom leaves room for the directories.
func appendRoom(out []byte, pages []page) []byte {
	for i := range pages {
		size := pages[i].directory.size()
		out = slices.Grow(out, size)
		out = out[:len(out)+size]
	}
	return out
}

// putDirectories writes the directories into the room that was left for them.
func putDirectories(file []byte, pages []page) {
	offset := headerBytes(pages[0].directory.big)
	for i := range pages {
		d := &pages[i].directory
		next := 0
		if i+1 < len(pages) {
			next = offset + d.size()
		}
		d.put(file[offset:][:d.size()], offset, next)
		offset += d.size()
	}
}

// appendBlocks appends the blocks of a page, of a file that begins at start, and notes where they lie.
func (e *Encoder) appendBlocks(out []byte, start int, p *page, compression Compression) (_ []byte, err error) {
	e.samples = sized(e.samples, p.blockBytes())
	e.row = sized(e.row, p.rowBytes())
	e.bands.scratch = e.row
	for i := range p.blocks() {
		b := p.block(i)
		p.gather(e.samples, b)
		p.predict(e.samples, b, e.row)
		at := len(out)
		if compression == Deflate {
			if out, err = e.compressor.append(out, e.samples); err != nil {
				return nil, fmt.Errorf("block %d: %w", i, err)
			}
		} else {
			out = append(out, e.samples...)
		}
		p.directory.set(p.offsetsEntry, i, uint64(at-start))
		p.directory.set(p.lengthsEntry, i, uint64(len(out)-at))
	}
	return out, nil
}

// sized returns buffer with the given length, reallocated only where it is too short.
func sized(buffer []byte, length int) []byte {
	if cap(buffer) < length {
		return make([]byte, length)
	}
	return buffer[:length]
}
