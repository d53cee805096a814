package packets

// log is an append-only list of bytes in chunks. It never moves when it grows, so no old copies
// wait for the garbage collector.
type log struct {
	chunks [][]byte
	bytes  int64 // of all chunks but the last
}

// The size of chunks. The note of a block with many pieces may exceed it.
const (
	chunkBytesLog2 = 18
	chunkBytes     = 1 << chunkBytesLog2
	usualNoteBytes = 64
)

// end returns the chunk to append a note to, and the position of the note. The first chunk starts
// small and grows, since many tiles need little.
func (l *log) end() (chunk *[]byte, at int64) {
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last]) > chunkBytes-usualNoteBytes {
		l.bytes = l.size()
		last++
		l.chunks = append(l.chunks, make([]byte, 0, min(last, 1)*chunkBytes))
	}
	chunk = &l.chunks[last]
	return chunk, int64(last)<<chunkBytesLog2 | int64(len(*chunk))
}

// from returns the bytes from a position to the end of its chunk.
func (l *log) from(at int64) []byte { return l.chunks[at>>chunkBytesLog2][at&(chunkBytes-1):] }

// size returns the number of bytes.
func (l *log) size() int64 {
	if len(l.chunks) == 0 {
		return 0
	}
	return l.bytes + int64(len(l.chunks[len(l.chunks)-1]))
}
