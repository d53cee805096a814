package lerc

import (
	"bytes"
	"fmt"
)

// Predictors that were applied before the bytes of floats were split into planes.
const (
	predictNothing = iota
	predictLeft
	predictLeftAndAbove
)

const maxPlaneOrder = 5

// decodePlanes decodes lossless floats. The lowest bytes of all samples form one plane, and so on;
// each plane is compressed separately. Planes cover valid and invalid pixels; invalid ones are
// cleared. With a depth above 1, the values of a pixel count as a row.
func (d *Decoder) decodePlanes(b *blob, in *reader, dst, mask []byte) error {
	predictor := in.byte()
	if in.failed {
		return ErrTruncated
	}
	if predictor > predictLeftAndAbove {
		return fmt.Errorf("predictor %d: %w", predictor, ErrCorrupt)
	}
	sampleBytes := b.Type.Bytes()
	indexes := uint(0)
	for range sampleBytes {
		index, err := d.readPlane(in, dst, sampleBytes)
		if err == nil && indexes>>index&1 == 1 {
			err = ErrCorrupt
		}
		if err != nil {
			return fmt.Errorf("byte plane: %w", err)
		}
		indexes |= 1 << index
	}
	width := b.Width
	if b.Depth > 1 {
		width = b.Depth
	}
	if b.Type == Float32 {
		samples := samplesOf[uint32](dst)
		restoreNeighbors(samples, width, predictor, 1<<23-1)
		for i, v := range samples {
			samples[i] = signFirst(v)
		}
	} else {
		restoreNeighbors(samplesOf[uint64](dst), width, predictor, 1<<52-1)
	}
	clearInvalid(dst, mask, b.Depth*sampleBytes)
	return nil
}

// readPlane decodes the plane of one byte of each sample. It returns the index of that byte,
// counted from the lowest.
func (d *Decoder) readPlane(in *reader, dst []byte, sampleBytes int) (index int, err error) {
	index, order := int(in.byte()), int(in.byte())
	stored, err := in.take(in.int32())
	if err != nil {
		return 0, err
	}
	if index >= sampleBytes || order > maxPlaneOrder {
		return 0, fmt.Errorf("byte %d of order %d: %w", index, order, ErrCorrupt)
	}
	plane := d.scratchBytes(len(dst) / sampleBytes)
	if err := d.unpackPlane(plane, stored); err != nil {
		return 0, err
	}
	for from := order; from > 0; from-- {
		sum := byte(0)
		for i := from - 1; i < len(plane); i++ {
			sum += plane[i]
			plane[i] = sum
		}
	}
	at := index
	if machineIsBigEndian() {
		at = sampleBytes - 1 - index
	}
	for _, b := range plane {
		dst[at] = b
		at += sampleBytes
	}
	return index, nil
}

// unpackPlane decompresses one plane. Its first byte identifies the compression.
func (d *Decoder) unpackPlane(plane, stored []byte) error {
	const (
		huffmanCoded = iota
		oneByte
		uncompressed
		runs

		huffmanVersion = 5 // blob version with the same code tables
	)
	in := reader{src: stored}
	kind := in.byte()
	switch {
	case in.failed:
		return ErrTruncated
	case kind == huffmanCoded:
		if err := d.codes.read(d, &in, huffmanVersion, len(plane), 0); err != nil {
			return err
		}
		return d.codes.decode(plane, &bitWords{src: in.rest()})
	case kind == oneByte:
		value := in.byte()
		if count := in.uint32(); in.failed || uint64(count) != uint64(len(plane)) {
			return fmt.Errorf("%d equal bytes, expected %d: %w", count, len(plane), ErrCorrupt)
		}
		fill(plane, value)
	case kind == uncompressed:
		if len(in.rest()) != len(plane) {
			return fmt.Errorf("%d bytes, expected %d: %w", len(in.rest()), len(plane), ErrCorrupt)
		}
		copy(plane, in.rest())
	case kind == runs:
		return unpackRuns(plane, &in)
	default:
		return fmt.Errorf("storage %d: %w", kind, ErrCorrupt)
	}
	return nil
}

// unpackRuns decodes runs as in PackBits, except that repetition counts start at 2 and increase
// with the count byte.
func unpackRuns(plane []byte, in *reader) error {
	const firstRepetition = 128
	for len(plane) > 0 {
		count := int(in.byte()) + 1
		repeated := count > firstRepetition
		if repeated {
			count -= firstRepetition - 1
		}
		if in.failed || count > len(plane) {
			return ErrCorrupt
		}
		if repeated {
			fill(plane[:count], in.byte())
		} else {
			literals, _ := in.take(count)
			copy(plane, literals)
		}
		plane = plane[count:]
	}
	if in.failed {
		return ErrTruncated
	}
	return nil
}

// restoreNeighbors sums up differences. The mantissa and the bits above it are added separately.
func restoreNeighbors[W uint32 | uint64](samples []W, width int, predictor byte, mantissa W) {
	if predictor == predictLeftAndAbove {
		for at := width; at < len(samples); at += width {
			row, above := samples[at:at+width], samples[at-width:at]
			for i, v := range row {
				row[i] = addParts(v, above[i], mantissa)
			}
		}
	}
	if predictor == predictNothing {
		return
	}
	for at := 0; at < len(samples); at += width {
		row := samples[at : at+width]
		left := W(0)
		for i, v := range row {
			left = addParts(v, left, mantissa)
			row[i] = left
		}
	}
}

func addParts[W uint32 | uint64](a, b, mantissa W) W {
	return (a+b)&mantissa | (a&^mantissa + b&^mantissa)
}

// signFirst moves the sign of a float back from behind its exponent.
func signFirst(v uint32) uint32 {
	const mantissa, exponent = 1<<23 - 1, 0xff << 23
	return v&mantissa | v>>1&exponent | v<<8&(1<<31)
}

func clearInvalid(dst, mask []byte, pixelBytes int) {
	for at := 0; at < len(mask); {
		gap := bytes.IndexByte(mask[at:], 0)
		if gap < 0 {
			return
		}
		begin := at + gap
		at, _ = nextRun(mask, begin, len(mask))
		clear(dst[begin*pixelBytes : at*pixelBytes])
	}
}
