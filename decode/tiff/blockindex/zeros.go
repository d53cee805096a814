package blockindex

import (
	"encoding/binary"
	"sync/atomic"
)

// zeroChunks records which chunks of an array are all zeros, in two bits each. It outlives the
// cached chunks. The zero value is empty.
type zeroChunks struct {
	words atomic.Pointer[[]atomic.Uint32] // allocated by the first record
}

// zeroKind says what is known of a chunk.
type zeroKind uint32

const (
	unknownKind zeroKind = 0
	onlyZeros   zeroKind = 1
	hasValues   zeroKind = 2
)

const (
	kindBits     = 2
	kindsPerWord = 32 / kindBits
	kindMask     = 1<<kindBits - 1
	maxKindWords = 1 << 24 // for an index of terabytes
)

func (z *zeroChunks) kind(number int64) zeroKind {
	words := z.words.Load()
	if words == nil || number/kindsPerWord >= int64(len(*words)) {
		return unknownKind
	}
	return zeroKind((*words)[number/kindsPerWord].Load() >> (number % kindsPerWord * kindBits) & kindMask)
}

// record stores whether a chunk of a is all zeros.
func (z *zeroChunks) record(a *array, number int64, zeros bool) {
	words := z.words.Load()
	if words == nil {
		last, _ := a.chunkOf(a.count - 1)
		made := make([]atomic.Uint32, min(last/kindsPerWord+1, maxKindWords))
		if !z.words.CompareAndSwap(nil, &made) {
			z.record(a, number, zeros)
			return
		}
		words = &made
	}
	kind := hasValues
	if zeros {
		kind = onlyZeros
	}
	if at := number / kindsPerWord; at < int64(len(*words)) {
		(*words)[at].Or(uint32(kind) << (number % kindsPerWord * kindBits))
	}
}

func allZero(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b) != 0 {
			return false
		}
	}
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}
