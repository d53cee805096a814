package raster

import "unsafe"

// NewBufferIn returns a buffer in the caller's memory, which has at least BufferBytes. Its samples
// keep the values in that memory. Use it for short-lived pixels only: the caller may reuse the
// memory once the buffer's tile is no longer used.
func NewBufferIn(memory []uint64, t DataType, width, height, bands int) *Buffer {
	n := int(BufferBytes(t, width, height, bands))
	var data []byte
	if n > 0 {
		data = unsafe.Slice((*byte)(unsafe.Pointer(&memory[0])), len(memory)*8)[:n:n]
	}
	return &Buffer{&pixels{width: width, height: height, bands: bands, dataType: t, data: data}}
}
