package lerc

import (
	"encoding/binary"
	"unsafe"
)

// sample is how a sample is kept in memory.
type sample interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | float32 | float64
}

// exact is what samples are computed in: whole numbers as integers, floats as Esri's library computes them.
type exact interface{ int64 | float64 }

// view sees bytes as samples. They begin where a sample may.
func view[T sample | uint64](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// bytesOf sees words as bytes.
func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8)
}

// copyStored copies samples as they are stored, little endian, to dst, which is of the same length and in the order of the
// machine.
func copyStored(dst, stored []byte, sampleBytes int) {
	copy(dst, stored)
	if !machineIsBigEndian() {
		return
	}
	for ; len(dst) >= sampleBytes; dst = dst[sampleBytes:] {
		for low, high := 0, sampleBytes-1; low < high; low, high = low+1, high-1 {
			dst[low], dst[high] = dst[high], dst[low]
		}
	}
}

func machineIsBigEndian() bool { return binary.NativeEndian.Uint16([]byte{0, 1}) == 1 }
