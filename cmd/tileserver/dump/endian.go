package dump

import (
	"encoding/binary"
	"unsafe"

	"tileserver/raster"
)

// isLittleEndian reports whether the bytes of samples are in the order of the output: the lowest first.
func isLittleEndian(t raster.DataType) bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1 || partSize(t) == 1
}

// partSize returns the size of what has an order of bytes: a sample, or a part of a complex one.
func partSize(t raster.DataType) int {
	if t.IsComplex() {
		return t.Part().Size()
	}
	return t.Size()
}

// toLittleEndian swaps the bytes of samples on big-endian machines.
func toLittleEndian(samples []byte, t raster.DataType) {
	if isLittleEndian(t) {
		return
	}
	size := partSize(t)
	for ; len(samples) >= size; samples = samples[size:] {
		switch size {
		case 2:
			binary.LittleEndian.PutUint16(samples, binary.BigEndian.Uint16(samples))
		case 4:
			binary.LittleEndian.PutUint32(samples, binary.BigEndian.Uint32(samples))
		case 8:
			binary.LittleEndian.PutUint64(samples, binary.BigEndian.Uint64(samples))
		}
	}
}
