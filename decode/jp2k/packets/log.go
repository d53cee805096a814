package packets

// log is bytes that are only added to, in chunks: so that it need not move when it grows, and old memory of it wait to be collected.
type log struct {
	chunks [][]byte
	bytes  int64 // of all chunks but the last
}

// Chunks have so many bytes. A note of a block that has many pieces may go beyond that.
const (
	chunkBytesLog2 = 18
	chunkBytes     = 1 << chunkBytesLog2
	usualNoteBytes = 64
)

// room is where a note is to be appended, and its place. The first chunk grows, since many tiles need little.
func (l *log) room() (chunk *[]byte, at int64) {
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last]) > chunkBytes-usualNoteBytes {
		l.bytes = l.size()
		last++
		l.chunks = append(l.chunks, make([]byte, 0, min(last, 1)*chunkBytes))
	}
	chunk = &l.chunks[last]
	return chunk, int64(last)<<chunkBytesLog2 | int64(len(*chunk))
}

// from is the bytes from a place on, to the end of its chunk.
func (l *log) from(at int64) []byte { return l.chunks[at>>chunkBytesLog2][at&(chunkBytes-1):] }

// size is how many bytes there are.
func (l *log) size() int64 {
	if len(l.chunks) == 0 {
		return 0
	}
	return l.bytes + int64(len(l.chunks[len(l.chunks)-1]))
}
