package blockindex

import (
	"encoding/binary"
	"math/bits"

	"tileserver/decode/tiff/ifd"
	"tileserver/source"
)

// array is an array of unsigned integers as stored.
type array struct {
	kind   ifd.Type
	shift  int8 // a chunk has 1<<shift values
	order  binary.ByteOrder
	offset int64  // in the file
	count  int64  // of the values that are used
	value  []byte // all values, if they were cached at opening
	zeros  zeroChunks
}

// newArray returns the first count values of an entry.
func newArray(e *ifd.Entry, count int64) array {
	shift := bits.TrailingZeros(uint(ChunkBytes / e.Type.Size()))
	return array{kind: e.Type, shift: int8(shift), order: e.Order, offset: e.Offset, count: count, value: e.Value}
}

func (a *array) exists() bool { return a.kind != 0 }

// at returns the i-th of some values as stored.
func (a *array) at(values []byte, i int) uint64 { return a.kind.Uint(values, i, a.order) }

// ChunkBytes is how much of an array is read at a time: the entries of thousands of units, yet a
// small read.
const ChunkBytes = 32 << 10

// chunkOf returns the number of the chunk that holds the i-th value, and the value's position in
// it.
func (a *array) chunkOf(i int64) (number int64, within int) {
	return i >> a.shift, int(i & (1<<a.shift - 1))
}

// chunkRange returns where a chunk lies in the file. The last one may be shorter.
func (a *array) chunkRange(number int64) source.Range {
	start := number * ChunkBytes
	return source.Range{Offset: a.offset + start, Length: min(ChunkBytes, a.count*int64(a.kind.Size())-start)}
}
