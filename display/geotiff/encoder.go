package geotiff

import (
	"fmt"
	"math"
	"slices"

	"tileserver/internal/reuse"
)

// An Encoder reuses buffers and deflate state from image to image. The zero value is ready to use.
// It is not safe for concurrent use; concurrent callers use a pool of Encoders.
type Encoder struct {
	images     [2]tiffImage // the image and its mask
	bands      bandRows
	mask       maskRows
	compressor compressor

	samples []byte // of a block
	row     []byte
	text    []byte
	merged  []uint8
}

// Encode appends img as a TIFF file to dst. On an error it returns dst unchanged.
func (e *Encoder) Encode(dst []byte, img *Image) ([]byte, error) {
	if err := img.validate(); err != nil {
		return dst, err
	}
	images, err := e.plan(img)
	defer e.clearReferences()
	if err != nil {
		return dst, err
	}
	out := appendHeader(dst, images[0].directory.big)
	out = reserveDirectories(out, images)
	for i := range images {
		if out, err = e.appendBlocks(out, len(dst), &images[i], img.Compression); err != nil {
			return dst, fmt.Errorf("geotiff: image %d: %w", i, err)
		}
	}
	putDirectories(out[len(dst):], images)
	return out, nil
}

// plan decides which images the file has and fills their directories.
func (e *Encoder) plan(img *Image) ([]tiffImage, error) {
	var encoding coverageEncoding
	encoding, e.merged = img.encodeCoverage(e.merged)
	images := e.images[:1]
	e.planImage(img, &encoding)
	if len(encoding.masks) > 0 {
		images = e.images[:2]
		e.planMask(img, &encoding)
	}
	big, err := img.checkSize(images)
	if err != nil {
		return nil, err
	}
	e.text = images[0].describeImage(img, big, e.text)
	if len(images) > 1 {
		images[1].describeMask(img, big)
	}
	return images, nil
}

func (e *Encoder) planImage(img *Image, encoding *coverageEncoding) {
	p := &e.images[0]
	samples := len(img.Bands)
	if encoding.hasAlpha {
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
	e.bands = bandRows{img: img, alpha: encoding.alpha, samples: samples, chunky: p.planes != samples}
	if img.NoData != nil {
		e.bands.fill = img.Type.sample(*img.NoData)
	}
	p.rows = &e.bands
}

func (e *Encoder) planMask(img *Image, encoding *coverageEncoding) {
	p, samples := &e.images[1], len(encoding.masks)
	p.grid = grid{width: img.Width, height: img.Height, samples: samples, sampleBits: 1, planes: samples}
	p.cut(img.TileSide)
	p.predictor = predictorNone
	e.mask = maskRows{img.Width, encoding.masks}
	p.rows = &e.mask
}

// checkSize rejects images with too many bytes and reports whether the file must be a BigTIFF.
func (img *Image) checkSize(images []tiffImage) (big bool, err error) {
	const (
		blockOverhead = 128      // generous: offsets, lengths and the frame of a zlib stream
		fileOverhead  = 64 << 20 // generous: directories without offsets
	)
	maxBytes := img.MaxBytes
	if maxBytes == 0 {
		maxBytes = DefaultMaxBytes
	}
	var raw, blocks int64
	for i := range images {
		raw += images[i].rawBytes()
		blocks += images[i].rawBytes() / int64(images[i].blockBytes())
	}
	if raw > maxBytes {
		return false, fmt.Errorf("%w: %d bytes of blocks exceed the limit of %d", ErrTooLarge, raw, maxBytes)
	}
	maxFileBytes := raw + raw>>8 + blocks*blockOverhead + fileOverhead // incompressible data grows a little
	if maxFileBytes > math.MaxInt {
		return false, fmt.Errorf("%w: %d bytes of blocks exceed the address space", ErrTooLarge, raw)
	}
	return img.Big || maxFileBytes > math.MaxUint32, nil
}

// clearReferences drops references to the caller's memory.
func (e *Encoder) clearReferences() {
	e.bands.img, e.bands.alpha, e.mask.planes = nil, nil, nil
}

// reserveDirectories appends space for the directories.
func reserveDirectories(out []byte, images []tiffImage) []byte {
	for i := range images {
		size := images[i].directory.size()
		out = slices.Grow(out, size)
		out = out[:len(out)+size]
	}
	return out
}

// putDirectories writes the directories into their reserved space.
func putDirectories(file []byte, images []tiffImage) {
	offset := headerBytes(images[0].directory.big)
	for i := range images {
		d := &images[i].directory
		next := 0
		if i+1 < len(images) {
			next = offset + d.size()
		}
		d.put(file[offset:][:d.size()], offset, next)
		offset += d.size()
	}
}

// appendBlocks appends the blocks of an image and records their offsets. The file begins at start
// in out.
func (e *Encoder) appendBlocks(out []byte, start int, p *tiffImage, compression Compression) (_ []byte, err error) {
	e.samples = reuse.Slice(e.samples, p.blockBytes())
	e.row = reuse.Slice(e.row, p.rowBytes())
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
