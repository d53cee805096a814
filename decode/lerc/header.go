package lerc

import (
	"bytes"
	"fmt"
	"math"
)

const (
	blobMagic      = "Lerc2 "
	newestVersion  = 6
	maxBlobSamples = math.MaxInt32 // bytes of samples in a band, as in Esri's library

	// OldVersion is the Header.Version of a CntZImage, which is from before Lerc2 had versions.
	OldVersion = 0
)

// Header is what a stream says about itself before anything is decoded.
type Header struct {
	Version       int // 1 to 6, or OldVersion
	Type          Type
	Width, Height int
	Depth         int // values a pixel in each band
	Bands         int

	// MaxZError is how far a sample may be from what was encoded, in the first band: 0 or, for integers, 0.5 is lossless.
	MaxZError float64
	// AllValid says that no pixel of any band is masked out.
	AllValid bool
	// ValidPixels counts those of the first band. It is -1 where only decoding tells: in a CntZImage with a mask.
	ValidPixels int
	// NoData, if HasNoData, is the value of samples of valid pixels that are not valid themselves, in the first band. Only
	// version 6 has it, where the depth is more than 1.
	HasNoData bool
	NoData    float64
	// Bytes is how much of the source the stream takes.
	Bytes int
}

// SampleBytes is how long Decode's destination must be.
func (h *Header) SampleBytes() int { return h.MaskBytes() * h.Depth * h.Type.Bytes() }

// MaskBytes is how long Decode's mask must be.
func (h *Header) MaskBytes() int { return h.Width * h.Height * h.Bands }

// ReadHeader reads the header of the stream that src begins with, and those of all its bands. It looks at no sample, and
// bytes after the stream are ignored.
func ReadHeader(src []byte) (Header, error) {
	if bytes.HasPrefix(src, []byte(oldMagic)) {
		return readOldHeader(src)
	}
	first, err := readBlobHeader(src)
	if err != nil {
		return Header{}, fmt.Errorf("header: %w", err)
	}
	h := first.Header
	for last := first; last.expectsMore(src[h.Bytes:]); h.Bands++ {
		last, err = readBlobHeader(src[h.Bytes:])
		if err == nil && !last.isBandOf(&first) {
			err = ErrCorrupt
		}
		if err != nil {
			return Header{}, fmt.Errorf("header of band %d: %w", h.Bands, err)
		}
		h.Bytes += last.bytes
		h.AllValid = h.AllValid && last.AllValid
	}
	return h, h.checkSize()
}

// checkSize makes sure that the sizes of the samples fit into an int.
func (h *Header) checkSize() error {
	bandBytes := uint64(h.Width) * uint64(h.Height) * uint64(h.Depth) * uint64(h.Type.Bytes())
	if bandBytes > math.MaxInt/uint64(h.Bands) {
		return fmt.Errorf("%d bands of %d bytes: %w", h.Bands, bandBytes, ErrUnsupported)
	}
	return nil
}

// blob is the header of one band's blob.
type blob struct {
	Header
	checksum     uint32
	blockSize    int // pixels along the side of a block
	bytes        int // of the whole blob
	bodyAt       int // where the header ends
	more         int // blobs to come, in version 6
	zMin, zMax   float64
	storedNoData float64 // what stands for NoData in the blob
}

// expectsMore tells whether another band follows. Up to version 5 a blob does not know, and rest tells.
func (b *blob) expectsMore(rest []byte) bool {
	if b.Version >= 6 {
		return b.more > 0
	}
	return bytes.HasPrefix(rest, []byte(blobMagic))
}

func (b *blob) isBandOf(first *blob) bool {
	return b.Width == first.Width && b.Height == first.Height && b.Depth == first.Depth && b.Type == first.Type
}

func readBlobHeader(src []byte) (blob, error) {
	in := reader{src: src}
	if magic, err := in.take(len(blobMagic)); err != nil {
		return blob{}, err
	} else if string(magic) != blobMagic {
		return blob{}, fmt.Errorf("begins with %q: %w", magic, ErrCorrupt)
	}
	var b blob
	b.Version = in.int32()
	if in.failed {
		return blob{}, ErrTruncated
	}
	if b.Version < 1 || b.Version > newestVersion {
		return blob{}, fmt.Errorf("version %d: %w", b.Version, ErrUnsupported)
	}
	b.readFields(&in)
	if in.failed {
		return blob{}, ErrTruncated
	}
	b.bodyAt = in.pos
	b.Header.Bytes = b.bytes
	b.AllValid = b.ValidPixels == b.Width*b.Height
	if err := b.check(); err != nil {
		return blob{}, err
	}
	if b.bytes > len(src) {
		return blob{}, fmt.Errorf("%d of %d bytes: %w", len(src), b.bytes, ErrTruncated)
	}
	return b, nil
}

// readFields reads what follows the version. Later versions have more of it.
func (b *blob) readFields(in *reader) {
	b.Depth, b.Bands = 1, 1
	if b.Version >= 3 {
		b.checksum = in.uint32()
	}
	b.Height, b.Width = in.int32(), in.int32()
	if b.Version >= 4 {
		b.Depth = in.int32()
	}
	b.ValidPixels, b.blockSize, b.bytes = in.int32(), in.int32(), in.int32()
	b.Type = Type(min(in.uint32(), uint32(typeCount)))
	if b.Version >= 6 {
		b.more = in.int32()
		b.HasNoData = in.byte() != 0
		in.skip(3) // whether all samples are whole numbers, and two bytes of no meaning yet
	}
	b.MaxZError, b.zMin, b.zMax = in.float64(), in.float64(), in.float64()
	if b.Version >= 6 {
		b.storedNoData, b.NoData = in.float64(), in.float64()
		b.HasNoData = b.HasNoData && b.Depth > 1
	}
}

// check refuses numbers that no encoder writes, and those that arithmetic further on could not stand.
func (b *blob) check() error {
	pixels := uint64(b.Width) * uint64(b.Height)
	switch {
	case b.Width <= 0, b.Height <= 0, b.Depth <= 0, b.Type >= typeCount, b.more < 0:
		return fmt.Errorf("%d by %d pixels of %d values, %v: %w", b.Width, b.Height, b.Depth, b.Type, ErrCorrupt)
	case pixels > maxBlobSamples, pixels*uint64(b.Depth) > maxBlobSamples/uint64(b.Type.Bytes()):
		return fmt.Errorf("%d by %d pixels of %d values: %w", b.Width, b.Height, b.Depth, ErrUnsupported)
	case b.ValidPixels < 0, uint64(b.ValidPixels) > pixels:
		return fmt.Errorf("%d valid pixels of %d: %w", b.ValidPixels, pixels, ErrCorrupt)
	case b.blockSize <= 0, b.blockSize > maxBlockSide:
		return fmt.Errorf("blocks of %d pixels: %w", b.blockSize, ErrCorrupt)
	case b.bytes < b.bodyAt:
		return fmt.Errorf("blob of %d bytes: %w", b.bytes, ErrCorrupt)
	case !(b.MaxZError >= 0), !b.Type.isFloat() && !b.wholeNumbers():
		return fmt.Errorf("error bound %v, samples from %v to %v: %w", b.MaxZError, b.zMin, b.zMax, ErrCorrupt)
	}
	return nil
}

// wholeNumbers tells whether the samples can be computed as integers: the range is theirs, and so is the step between
// levels, which is twice the error bound.
func (b *blob) wholeNumbers() bool {
	const limit = 1 << 32
	step := 2 * b.MaxZError
	return step == math.Trunc(step) && step < limit/2 && math.Abs(b.zMin) < limit && math.Abs(b.zMax) < limit
}
