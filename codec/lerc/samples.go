package lerc

import (
	"encoding/binary"
	"unsafe"
)

// sample is the type of a decoded sample.
type sample interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | float32 | float64
}

// accumulator is the type in which samples are computed: integers exactly, floats as in Esri's
// library.
type accumulator interface{ int64 | float64 }

// samplesOf returns b as a slice of samples, sharing its memory. b must be aligned for T.
func samplesOf[T sample | uint64](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// bytesOf returns words as a slice of bytes, sharing its memory.
func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8)
}

// copyStored copies little-endian samples to dst in native byte order. dst and stored have the same
// length.
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
