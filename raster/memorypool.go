package raster

import (
	"sync"
	"unsafe"
)

// MemoryPool recycles the memory of short-lived pixels, such as the window under a view. A window
// is at least as large as the pixels computed from it. Without a pool, windows would dominate
// allocation and clearing. The zero value is ready to use.
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

// newBufferIn returns a buffer in memory of at least BufferBytes. Its samples keep the values in
// that memory.
func newBufferIn(m *Memory, t DataType, width, height, bands int) *Buffer {
	n := int(BufferBytes(t, width, height, bands))
	var data []byte
	if n > 0 {
		data = unsafe.Slice((*byte)(unsafe.Pointer(&m.words[0])), len(m.words)*8)[:n:n]
	}
	return &Buffer{&pixels{width: width, height: height, bands: bands, dataType: t, data: data}}
}
