package decode

import (
	"sync"
	"unsafe"
)

// scratchPool lends buffers for the rows of one block. Its zero value is ready.
type scratchPool struct{ free sync.Pool }

// scratchKeptBytes is the largest buffer that is kept for another block: those
// of tiles are, the one of a file that is a single strip is not.
const scratchKeptBytes = 16 << 20

// scratch is a buffer that may be seen as samples of any type.
type scratch struct{ words []uint64 }

func (p *scratchPool) take(bytes int) *scratch {
	words := (bytes + 7) / 8
	if s, ok := p.free.Get().(*scratch); ok && cap(s.words) >= words {
		s.words = s.words[:words]
		return s
	}
	return &scratch{make([]uint64, words)}
}

func (p *scratchPool) give(s *scratch) {
	if 8*cap(s.words) <= scratchKeptBytes {
		p.free.Put(s)
	}
}

// bytes are the first n bytes of s.
func (s *scratch) bytes(n int) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s.words[0])), len(s.words)*8)[:n:n]
}

// word is an unsigned integer that holds the bits of one stored sample.
type word interface {
	uint8 | uint16 | uint32 | uint64
}

// cell is what one stored sample takes in memory.
type cell interface{ word | pair }

// pair is a complex number of two parts of eight bytes.
type pair [2]uint64

// asWords sees bytes as words in the machine's order. The bytes begin where a
// uint64 may: at the start of a scratch, or of a plane of a raster.Buffer.
func asWords[T cell](b []byte) []T {
	var zero T
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(zero)))
}
