package lzw

import "encoding/binary"

// table holds the strings of codes. A string is stored as its first bytes and the offset in dst
// where it was first written. That is the offset of the previous string, of which it is an
// extension by one byte. Strings are written without gaps, so the offset of the next one yields the
// length.
type table struct {
	entries [codeCount + 1]entry // the last entry receives strings once the table is full
	// Relative to the last clear code; a full table is reached long before 32 bits overflow.
	offsets [codeCount + 1 + 1]uint32
	// The code of the next string: the previous string plus one byte.
	next int

	previous entry // shortened if it is long
	start    int   // index in dst at the last clear code
}

// entry holds the first seven bytes of a string, first byte lowest, and its length above them. In a
// longer string only the first byte is valid, and the length is merely above seven.
type entry uint64

const (
	shortBytes  = 7
	lengthShift = 8 * shortBytes
)

func (e entry) length() uint { return uint(e >> lengthShift) }

// extend returns the entry of a string extended by the first byte of another. The string has at
// most seven bytes. If it has seven, the byte is added to the length, which remains above seven.
func (e entry) extend(other entry) entry {
	return e + 1<<lengthShift | other&0xff<<(8*e.length()&63)
}

// shorten returns an entry that can be extended. For a long string it keeps the first byte and a
// length that stays long when extended.
func (e entry) shorten() entry {
	if e.length() > shortBytes {
		return e&0xff | shortBytes<<lengthShift
	}
	return e
}

// begin sets up the strings of one byte. Control codes get a long length, so that they never pass
// as short strings.
func (t *table) begin() {
	for code := range clearCode {
		t.entries[code] = entry(code) | 1<<lengthShift
	}
	t.entries[clearCode], t.entries[endCode] = 0xff<<lengthShift, 0xff<<lengthShift
	t.clear(0)
}

// clear drops all longer strings. The first string after it has no previous string and adds none.
func (t *table) clear(n int) { t.next, t.start = endCode, n }

// add adds the string that code completes; code may be the new string itself. It returns the length
// of the string of code, which belongs at index n.
func (t *table) add(code, n int) (length int) {
	if t.next > endCode {
		first := t.previous
		if code != t.next {
			first = t.entries[code]
		}
		t.entries[t.next] = t.previous.extend(first)
	}
	t.offsets[t.next+1] = uint32(n - t.start)
	t.next = min(t.next+1, codeCount)
	t.previous = t.entries[code].shorten()
	if code < clearCode {
		return 1
	}
	return int(t.offsets[code+1]-t.offsets[code]) + 1
}

// write writes a string as far as it fits, and returns the number of bytes written.
func (t *table) write(dst []byte, n, code, length int) int {
	to := dst[n:min(n+length, len(dst))]
	if length <= shortBytes {
		var head [wordBytes]byte
		binary.LittleEndian.PutUint64(head[:], uint64(t.entries[code]))
		return copy(to, head[:])
	}
	// The string just added ends with its own first byte, which is not yet written.
	from := dst[t.start+int(t.offsets[code]) : n]
	copied := copy(to, from)
	copy(to[copied:], from)
	return len(to)
}
