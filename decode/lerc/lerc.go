package lerc

import (
	"errors"
	"fmt"
	"unsafe"
)

var (
	// ErrCorrupt reports a stream that no encoder writes.
	ErrCorrupt = errors.New("lerc: corrupt data")
	// ErrChecksum is the ErrCorrupt of a blob whose bytes are not those that were written.
	ErrChecksum = fmt.Errorf("%w: Fletcher-32 mismatch", ErrCorrupt)
	// ErrTruncated reports input that ended before the stream did.
	ErrTruncated = errors.New("lerc: truncated data")
	// ErrUnsupported reports a version that is not known.
	ErrUnsupported = errors.New("lerc: unsupported")
	// ErrDestination reports a destination that does not fit the header, or is not aligned for its samples.
	ErrDestination = errors.New("lerc: unfit destination")
)

// Type is how a sample is stored. The values are those in the blobs.
type Type uint8

// The types of Lerc2. CntZImage has Float32 only.
const (
	Int8 Type = iota
	Uint8
	Int16
	Uint16
	Int32
	Uint32
	Float32
	Float64
	typeCount
)

// Bytes is the size of a sample.
func (t Type) Bytes() int {
	return int([typeCount]uint8{1, 1, 2, 2, 4, 4, 4, 8}[t])
}

func (t Type) isFloat() bool { return t >= Float32 }

func (t Type) String() string {
	if t >= typeCount {
		return fmt.Sprintf("type %d", uint8(t))
	}
	return [typeCount]string{"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"}[t]
}

// Decoder keeps its tables and scratch memory from one call to the next. The zero value is ready; one goroutine at a time
// may use it. The scratch is at most a byte a sample of one band, and is not kept if it is large.
type Decoder struct {
	quanta  [maxBlockPixels]uint32
	raw     [maxBlockPixels]uint64
	tail    [maxBlockPixels * 4]byte
	codes   huffman
	scratch []byte
}

// keptScratchBytes is the most scratch that stays with a Decoder after a call.
const keptScratchBytes = 1 << 20

// Decode decodes a stream into dst, whose length must be the header's SampleBytes and which must be aligned for its samples,
// and into mask, whose length must be the header's MaskBytes. The mask may be nil if the header's AllValid says so. After an
// error both hold anything.
func (d *Decoder) Decode(dst, mask, src []byte) error {
	header, err := ReadHeader(src)
	if err != nil {
		return err
	}
	switch {
	case len(dst) != header.SampleBytes():
		return fmt.Errorf("%d bytes for %d bytes of samples: %w", len(dst), header.SampleBytes(), ErrDestination)
	case uintptr(unsafe.Pointer(unsafe.SliceData(dst)))%uintptr(header.Type.Bytes()) != 0:
		return fmt.Errorf("not aligned for %v: %w", header.Type, ErrDestination)
	case mask == nil && header.AllValid:
	case len(mask) != header.MaskBytes():
		return fmt.Errorf("%d bytes for a mask of %d: %w", len(mask), header.MaskBytes(), ErrDestination)
	}
	if header.Version == OldVersion {
		return decodeOld(dst, mask, src)
	}
	err = d.decodeBands(&header, dst, mask, src)
	if cap(d.scratch) > keptScratchBytes {
		d.scratch = nil
	}
	return err
}

// decodeBands decodes the blobs one by one. A band may leave its mask out if it is that of the band before.
func (d *Decoder) decodeBands(header *Header, dst, mask, src []byte) error {
	bandBytes, pixels := len(dst)/header.Bands, header.Width*header.Height
	var previous []byte
	for index := range header.Bands {
		blob, err := readBlobHeader(src)
		if err == nil {
			var own []byte
			if mask != nil {
				own = mask[index*pixels : (index+1)*pixels]
			}
			err = d.decodeBlob(&blob, dst[index*bandBytes:(index+1)*bandBytes], own, previous, src[:blob.bytes])
			previous = own
		}
		if err != nil {
			return fmt.Errorf("band %d: %w", index, err)
		}
		src = src[blob.bytes:]
	}
	return nil
}

// scratchBytes are n bytes for any use within one call.
func (d *Decoder) scratchBytes(n int) []byte {
	if cap(d.scratch) < n {
		d.scratch = make([]byte, n)
	}
	return d.scratch[:n]
}
