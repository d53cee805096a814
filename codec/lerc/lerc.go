package lerc

import (
	"errors"
	"fmt"
	"unsafe"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports an invalid stream.
	ErrCorrupt = decode.Corrupt("lerc: corrupt data")
	// ErrChecksum wraps ErrCorrupt. It reports a blob whose checksum does not match.
	ErrChecksum = fmt.Errorf("%w: Fletcher-32 mismatch", ErrCorrupt)
	// ErrTruncated reports input that ends before the stream does.
	ErrTruncated = decode.Corrupt("lerc: truncated data")
	// ErrUnsupported reports an unknown version or an unsupported size.
	ErrUnsupported = errors.New("lerc: unsupported")
	// ErrDestination reports a destination of the wrong length or alignment.
	ErrDestination = errors.New("lerc: invalid destination")
)

// Type is the type of a stored sample. The values are those in blobs.
type Type uint8

// Sample types of Lerc2. CntZImage has Float32 only.
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

// Bytes returns the size of a sample.
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

// Decoder decodes streams and reuses its tables and scratch memory. The zero value is ready to use.
// It is not safe for concurrent use. The scratch memory takes at most one byte per sample of a
// band.
type Decoder struct {
	quanta  [maxBlockPixels]uint32
	raw     [maxBlockPixels]uint64
	tail    [maxBlockPixels * 4]byte
	codes   huffman
	scratch []byte
}

// maxRetainedScratch bounds the scratch memory that a Decoder retains between calls.
const maxRetainedScratch = 1 << 20

// Decode decodes a stream into dst and mask. dst must be SampleBytes of the header long and aligned
// for its samples. mask must be MaskBytes of the header long; it may be nil if AllValid is true. If
// Decode fails, the contents of both are undefined.
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
	if cap(d.scratch) > maxRetainedScratch {
		d.scratch = nil
	}
	return err
}

// decodeBands decodes the blobs one by one. A band without a stored mask uses that of the previous
// band.
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

// scratchBytes returns n bytes of scratch memory, valid until the next call.
func (d *Decoder) scratchBytes(n int) []byte {
	if cap(d.scratch) < n {
		d.scratch = make([]byte, n)
	}
	return d.scratch[:n]
}
