package pyramid

import "sync"

// memoryPool recycles the memory of windows. A window is at least as large as the pixels computed
// from it and is short-lived. Without a pool, windows would dominate allocation and clearing. The
// zero value is ready to use.
type memoryPool struct{ free sync.Pool }

// maxPooledBytes is the largest memory that returns to the pool: a window of a map tile does, one
// of a whole image does not.
const maxPooledBytes = 16 << 20

// memory consists of 64-bit words, so that it is aligned for samples of any type.
type memory struct{ words []uint64 }

// get returns memory with arbitrary content.
func (p *memoryPool) get(bytes int64) *memory {
	words := int((bytes + 7) / 8)
	if m, ok := p.free.Get().(*memory); ok && cap(m.words) >= words {
		m.words = m.words[:words]
		return m
	}
	return &memory{make([]uint64, words)}
}

// put returns memory that is no longer used to the pool.
func (p *memoryPool) put(m *memory) {
	if 8*cap(m.words) <= maxPooledBytes {
		p.free.Put(m)
	}
}
