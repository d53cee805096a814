package raster

import (
	"sync"
	"unsafe"
)

// MemoryPool recycles the memory of short-lived pixels, such as those of a view, and the window under
// it. Without a pool they would dominate allocation. The zero value is ready to use.
type MemoryPool struct{ free sync.Pool }

// maxPooledBytes is the largest memory that returns to the pool: a window of a map tile does, one
// of a whole image does not.
const maxPooledBytes = 16 << 20

// Memory consists of 64-bit words, so that it is aligned for samples of any type.
type Memory struct{ words []uint64 }

// Get returns memory with arbitrary content.
func (p *MemoryPool) Get(bytes int64) *Memory {
	words := int((bytes + 7) / 8)
	if m, ok := p.free.Get().(*Memory); ok && cap(m.words) >= words {
		m.words = m.words[:words]
		return m
	}
	return &Memory{make([]uint64, words)}
}

// Put returns memory to the pool. No buffer or tile may use it any more.
func (p *MemoryPool) Put(m *Memory) {
	if 8*cap(m.words) <= maxPooledBytes {
		p.free.Put(m)
	}
}

// CoveredBytes returns the size of the memory for NewCoveredBufferIn.
func CoveredBytes(t DataType, width, height, bands int) int64 {
	return BufferBytes(t, width, height, bands) + int64(width)*int64(height)
}

// NewCoveredBufferIn returns a buffer in memory of at least CoveredBytes. Its samples are 0 and have no
// coverage.
func NewCoveredBufferIn(m *Memory, t DataType, width, height, bands int) *Buffer {
	b := NewBufferIn(m, t, width, height, bands)
	all := m.bytes()
	clear(all)
	b.SetValidity(all[len(b.p.data):][: width*height : width*height])
	return b
}

// NewBufferIn returns a buffer in memory of at least BufferBytes. Its samples keep the values in
// that memory, and are all valid.
func NewBufferIn(m *Memory, t DataType, width, height, bands int) *Buffer {
	n := int(BufferBytes(t, width, height, bands))
	data := m.bytes()[:n:n]
	return &Buffer{&pixels{width: width, height: height, bands: bands, dataType: t, data: data}}
}

func (m *Memory) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(m.words))), len(m.words)*8)
}
