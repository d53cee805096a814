package lerc

import (
	"bytes"
	"fmt"
)

// decodeBlob decodes one band. mask may be nil if all its pixels are valid. previous is the mask of
// the previous band, or nil.
func (d *Decoder) decodeBlob(b *blob, dst, mask, previous, src []byte) error {
	if b.Version >= 3 && Fletcher32(src[checksumFrom:]) != b.checksum {
		return ErrChecksum
	}
	in := reader{src: src, pos: b.bodyAt}
	if err := b.readMask(&in, mask, previous); err != nil {
		return fmt.Errorf("mask: %w", err)
	}
	if b.AllValid {
		mask = nil
	} else {
		clear(dst)
	}
	if err := d.decodeSamples(b, &in, dst, mask); err != nil {
		return err
	}
	if len(in.rest()) > 0 {
		return fmt.Errorf("%d trailing bytes: %w", len(in.rest()), ErrCorrupt)
	}
	return nil
}

func (d *Decoder) decodeSamples(b *blob, in *reader, dst, mask []byte) error {
	switch b.Type {
	case Int8:
		return decodeAs[int8, int64](d, b, in, dst, mask)
	case Uint8:
		return decodeAs[uint8, int64](d, b, in, dst, mask)
	case Int16:
		return decodeAs[int16, int64](d, b, in, dst, mask)
	case Uint16:
		return decodeAs[uint16, int64](d, b, in, dst, mask)
	case Int32:
		return decodeAs[int32, int64](d, b, in, dst, mask)
	case Uint32:
		return decodeAs[uint32, int64](d, b, in, dst, mask)
	case Float32:
		return decodeAs[float32, float64](d, b, in, dst, mask)
	default:
		return decodeAs[float64, float64](d, b, in, dst, mask)
	}
}

// decodeAs decodes everything after the mask. mask is nil if all pixels are valid; otherwise dst
// must be zero.
func decodeAs[T sample, X accumulator](d *Decoder, b *blob, in *reader, dst, mask []byte) error {
	data := samplesOf[T](dst)
	pixelBytes := b.Depth * b.Type.Bytes()
	if b.ValidPixels == 0 {
		return nil
	}
	first := max(bytes.IndexByte(mask, valid), 0)
	if b.zMin == b.zMax {
		pixel := data[first*b.Depth : (first+1)*b.Depth]
		for i := range pixel {
			pixel[i] = T(X(b.zMin))
		}
		repeatPixel(dst, mask, first, pixelBytes)
		return nil
	}
	var lows, highs []byte // minimum and maximum of each value of a pixel
	if b.Version >= 4 {
		lows, _ = in.take(pixelBytes)
		highs, _ = in.take(pixelBytes)
		if in.failed {
			return fmt.Errorf("ranges: %w", ErrTruncated)
		}
		if bytes.Equal(lows, highs) {
			copyStored(dst[first*pixelBytes:(first+1)*pixelBytes], lows, b.Type.Bytes())
			repeatPixel(dst, mask, first, pixelBytes)
			return nil
		}
	}
	method, err := b.readMethod(in)
	if err != nil {
		return err
	}
	switch method {
	case methodRaw:
		err = copyPixels(dst, mask, in, pixelBytes, b.Type.Bytes())
	case methodDeltaHuffman:
		err = d.decodeDeltas(b, in, dst, mask)
	case methodHuffman:
		err = d.decodeSymbols(b, in, dst, mask)
	case methodPlanes:
		err = d.decodePlanes(b, in, dst, mask)
	default:
		err = decodeBlocks[T, X](d, b, in, data, mask, highs)
	}
	if err == nil && b.HasNoData {
		restoreNoData(data, mask, b.Depth, T(X(b.storedNoData)), T(X(b.NoData)))
	}
	return err
}

// method identifies how the samples of a band are stored.
type method int

const (
	methodBlocks method = iota
	methodDeltaHuffman
	methodHuffman
	methodPlanes
	methodRaw
)

// readMethod reads the method. The method byte is only stored where the type and version allow a
// choice.
func (b *blob) readMethod(in *reader) (method, error) {
	raw := in.byte()
	bytesChoice := b.Version >= 2 && b.Type <= Uint8 && b.MaxZError == 0.5
	floatsChoice := b.Version >= 6 && b.Type.isFloat() && b.MaxZError == 0
	chosen := methodBlocks
	switch {
	case raw != 0:
		chosen = methodRaw
	case bytesChoice || floatsChoice:
		chosen = method(in.byte())
	}
	if in.failed {
		return 0, ErrTruncated
	}
	possible := raw != 0 || chosen == methodBlocks ||
		bytesChoice && chosen == methodDeltaHuffman ||
		bytesChoice && chosen == methodHuffman && b.Version >= 4 ||
		floatsChoice && chosen == methodPlanes
	if !possible {
		return 0, fmt.Errorf("method %d of %v in version %d: %w", chosen, b.Type, b.Version, ErrCorrupt)
	}
	return chosen, nil
}

// repeatPixel copies the first valid pixel, whose index is first, to all later valid pixels.
func repeatPixel(dst, mask []byte, first, pixelBytes int) {
	pixel := dst[first*pixelBytes : (first+1)*pixelBytes]
	if mask == nil {
		for filled := pixelBytes; filled < len(dst); filled *= 2 {
			copy(dst[filled:], dst[:filled])
		}
		return
	}
	for k := first + 1; k < len(mask); k++ {
		if mask[k] == valid {
			copy(dst[k*pixelBytes:], pixel)
		}
	}
}

// copyPixels reads valid pixels that are stored uncompressed.
func copyPixels(dst, mask []byte, in *reader, pixelBytes, sampleBytes int) error {
	pixels := len(dst) / pixelBytes
	for begin, end := nextRun(mask, 0, pixels); begin < end; begin, end = nextRun(mask, end, pixels) {
		stored, err := in.take((end - begin) * pixelBytes)
		if err != nil {
			return err
		}
		copyStored(dst[begin*pixelBytes:end*pixelBytes], stored, sampleBytes)
	}
	return nil
}

// restoreNoData replaces the stored nodata value by the original one. Encoders substitute a value
// that compresses better.
func restoreNoData[T sample](data []T, mask []byte, depth int, stored, original T) {
	pixels := len(data) / depth
	for begin, end := nextRun(mask, 0, pixels); begin < end; begin, end = nextRun(mask, end, pixels) {
		values := data[begin*depth : end*depth]
		for i, value := range values {
			if value == stored {
				values[i] = original
			}
		}
	}
}
