package lerc

import (
	"bytes"
	"fmt"
	"math"
)

const (
	blobMagic      = "Lerc2 "
	newestVersion  = 6
	maxBlobSamples = math.MaxInt32 // maximum bytes of samples in a band, as in Esri's library

	// OldVersion is the Header.Version of a CntZImage, the unversioned format before Lerc2.
	OldVersion = 0
)

// Header describes a stream. It is available without decoding.
type Header struct {
	Version       int // 1 to 6, or OldVersion
	Type          Type
	Width, Height int
	Depth         int // values per pixel in each band
	Bands         int

	// MaxZError is the maximum error of a sample in the first band. 0 is lossless, and so is 0.5
	// for integers.
	MaxZError float64
	// AllValid means that no pixel of any band is masked.
	AllValid bool
	// ValidPixels is the number of valid pixels in the first band. It is -1 in a CntZImage with a
	// mask, where only decoding can count them.
	ValidPixels int
	// NoData, if HasNoData, is the value of nodata samples within valid pixels of the first band.
	// Only version 6 with a depth above 1 has it.
	HasNoData bool
	NoData    float64
	// Bytes is the length of the stream in the source.
	Bytes int
}

// SampleBytes returns the required length of Decode's dst.
func (h *Header) SampleBytes() int { return h.MaskBytes() * h.Depth * h.Type.Bytes() }

// MaskBytes returns the required length of Decode's mask.
func (h *Header) MaskBytes() int { return h.Width * h.Height * h.Bands }

// ReadHeader reads the headers of all bands of the stream at the start of src. It reads no samples,
// and ignores bytes after the stream.
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
		if err == nil && !last.matchesBand(&first) {
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

// checkSize returns an error if the size of the samples overflows an int.
func (h *Header) checkSize() error {
	bandBytes := uint64(h.Width) * uint64(h.Height) * uint64(h.Depth) * uint64(h.Type.Bytes())
	if bandBytes > math.MaxInt/uint64(h.Bands) {
		return fmt.Errorf("%d bands of %d bytes: %w", h.Bands, bandBytes, ErrUnsupported)
	}
	return nil
}

// blob is the header of one band.
type blob struct {
	Header
	checksum     uint32
	blockSize    int // pixels per side of a block
	bytes        int // length of the whole blob
	bodyAt       int // index of the first byte after the header
	more         int // remaining blobs, in version 6
	zMin, zMax   float64
	storedNoData float64 // substitute for NoData in the blob
}

// expectsMore reports whether another band follows. Before version 6 a blob does not count its
// successors, so rest is checked for another one.
func (b *blob) expectsMore(rest []byte) bool {
	if b.Version >= 6 {
		return b.more > 0
	}
	return bytes.HasPrefix(rest, []byte(blobMagic))
}

func (b *blob) matchesBand(first *blob) bool {
	return b.Width == first.Width && b.Height == first.Height && b.Depth == first.Depth && b.Type == first.Type
}

func readBlobHeader(src []byte) (blob, error) {
	in := reader{src: src}
	if magic, err := in.take(len(blobMagic)); err != nil {
		return blob{}, err
	} else if string(magic) != blobMagic {
		return blob{}, fmt.Errorf("magic %q: %w", magic, ErrCorrupt)
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

// readFields reads the fields after the version. Later versions have more fields.
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
		in.skip(3) // a flag for integral samples, and two reserved bytes
	}
	b.MaxZError, b.zMin, b.zMax = in.float64(), in.float64(), in.float64()
	if b.Version >= 6 {
		b.storedNoData, b.NoData = in.float64(), in.float64()
		b.HasNoData = b.HasNoData && b.Depth > 1
	}
}

// check rejects invalid numbers, and numbers that later arithmetic cannot handle.
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
	case !(b.MaxZError >= 0), !b.Type.isFloat() && !b.hasIntegerRange():
		return fmt.Errorf("error bound %v, samples from %v to %v: %w", b.MaxZError, b.zMin, b.zMax, ErrCorrupt)
	}
	return nil
}

// hasIntegerRange reports whether the samples can be computed as integers. The range must fit, and
// the quantization step, twice the error bound, must be an integer.
func (b *blob) hasIntegerRange() bool {
	const limit = 1 << 32
	step := 2 * b.MaxZError
	return step == math.Trunc(step) && step < limit/2 && math.Abs(b.zMin) < limit && math.Abs(b.zMax) < limit
}
