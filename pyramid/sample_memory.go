package pyramid

import "sync"

// memoryPool lends memory to the windows of readings. Windows are as large as
// what is made of them, or larger, and gone when it is made: without a pool, most
// of what a reading allocates and clears would be they. Its zero value is ready.
type memoryPool struct{ free sync.Pool }

// keptMemoryBytes is the largest memory that is kept for another window: that of
// a map tile is, that of a view of a whole image is not.
const keptMemoryBytes = 16 << 20

// memory is words, so that samples of any type may lie in it.
type memory struct{ words []uint64 }

// take lends memory that may hold anything.
func (p *memoryPool) take(bytes int64) *memory {
	words := int((bytes + 7) / 8)
	if m, ok := p.free.Get().(*memory); ok && cap(m.words) >= words {
		m.words = m.words[:words]
		return m
	}
	return &memory{make([]uint64, words)}
}

// give takes memory back that nobody looks at any more.
func (p *memoryPool) give(m *memory) {
	if 8*cap(m.words) <= keptMemoryBytes {
		p.free.Put(m)
	}
}
