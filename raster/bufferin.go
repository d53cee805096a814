package raster

import "unsafe"

// NewBufferIn returns a buffer in memory of the caller's, of BufferBytes or more.
// Its samples are what the memory held. It is for pixels that nobody keeps: the
// caller may use the memory again when nobody has the tile any more that the
// buffer became.
func NewBufferIn(memory []uint64, t DataType, width, height, bands int) *Buffer {
	n := int(BufferBytes(t, width, height, bands))
	var data []byte
	if n > 0 {
		data = unsafe.Slice((*byte)(unsafe.Pointer(&memory[0])), len(memory)*8)[:n:n]
	}
	return &Buffer{&pixels{width: width, height: height, bands: bands, dataType: t, data: data}}
}
