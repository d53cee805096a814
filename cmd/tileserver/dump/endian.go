package dump

import (
	"encoding/binary"
	"unsafe"

	"tileserver/raster"
)

// toLittleEndian swaps the bytes of samples on big-endian machines.
func toLittleEndian(samples []byte, t raster.DataType) {
	one, size := uint16(1), t.Size()
	if t.IsComplex() {
		size = t.Part().Size()
	}
	if *(*byte)(unsafe.Pointer(&one)) == 1 || size == 1 {
		return
	}
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
