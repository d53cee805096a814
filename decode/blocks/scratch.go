package blocks

import (
	"sync"
	"unsafe"
)

// scratchPool pools buffers that hold the decompressed rows of one block. Its zero value is ready
// to use.
type scratchPool struct{ free sync.Pool }

// maxPooledScratchBytes is the largest buffer that goes back into the pool. Buffers for tiles do;
// the buffer of a file that is a single block does not.
const maxPooledScratchBytes = 16 << 20

// scratch is a buffer that can be used as samples of any type.
type scratch struct{ words []uint64 }

func (p *scratchPool) get(bytes int) *scratch {
	words := (bytes + 7) / 8
	if s, ok := p.free.Get().(*scratch); ok && cap(s.words) >= words {
		s.words = s.words[:words]
		return s
	}
	return &scratch{make([]uint64, words)}
}

func (p *scratchPool) put(s *scratch) {
	if 8*cap(s.words) <= maxPooledScratchBytes {
		p.free.Put(s)
	}
}

// bytes returns the first n bytes of s.
func (s *scratch) bytes(n int) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s.words[0])), len(s.words)*8)[:n:n]
}

// word is an unsigned integer that holds the bits of one sample.
type word interface {
	uint8 | uint16 | uint32 | uint64
}

// cell is the memory type of one sample: a word, or a pair for Complex128.
type cell interface{ word | pair }

// pair is a complex number of two parts of eight bytes each.
type pair [2]uint64

// asWords returns b as words in the machine's byte order, without copying. b must be aligned like a
// uint64, as the start of a scratch and of a plane of a raster.Buffer are.
func asWords[T cell](b []byte) []T {
	var zero T
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(zero)))
}
