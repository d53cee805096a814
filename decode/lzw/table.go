package lzw

import "encoding/binary"

// table holds the strings that codes stand for. A string is known by its first bytes and by where it was first written:
// that is where the string before it was, whose beginning it is. As strings follow each other without a gap, the place of
// the next one tells the length.
type table struct {
	entries [codeCount + 1]entry      // the last place is where strings go once the table is full
	places  [codeCount + 1 + 1]uint32 // counted from the last clear code; a table is full long before that takes 32 bits
	next    int                       // the code of the string to be added next: the previous one and the byte after it

	previous entry // shortened, if it is long
	start    int   // where dst was at the last clear code
}

// entry is the first seven bytes of a string, the first one lowest, and above them its length. More than seven says that it
// is longer, and that only the first byte is sure.
type entry uint64

const (
	shortBytes  = 7
	lengthShift = 8 * shortBytes
)

func (e entry) length() uint { return uint(e >> lengthShift) }

// and is the entry for a string and the first byte of another. The string has no more than seven bytes; if it has seven,
// the byte falls on the length, and leaves it above seven.
func (e entry) and(other entry) entry {
	return e + 1<<lengthShift | other&0xff<<(8*e.length()&63)
}

// shortened stands for a long string where only its first byte matters, and that what is longer is long.
func (e entry) shortened() entry {
	if e.length() > shortBytes {
		return e&0xff | shortBytes<<lengthShift
	}
	return e
}

// begin makes the strings of one byte, and sees to it that no control code passes for a short string.
func (t *table) begin() {
	for code := range clearCode {
		t.entries[code] = entry(code) | 1<<lengthShift
	}
	t.entries[clearCode], t.entries[endCode] = 0xff<<lengthShift, 0xff<<lengthShift
	t.clear(0)
}

// clear forgets all longer strings. The first string after it follows no other, and adds none.
func (t *table) clear(n int) { t.next, t.start = endCode, n }

// add adds the string that the given code completes, which may be the very code that it gets. It returns how long the
// string of the code is, which belongs at n.
func (t *table) add(code, n int) (length int) {
	if t.next > endCode {
		first := t.previous
		if code != t.next {
			first = t.entries[code]
		}
		t.entries[t.next] = t.previous.and(first)
	}
	t.places[t.next+1] = uint32(n - t.start)
	t.next = min(t.next+1, codeCount)
	t.previous = t.entries[code].shortened()
	if code < clearCode {
		return 1
	}
	return int(t.places[code+1]-t.places[code]) + 1
}

// write writes a string as far as there is room, and returns how much that was.
func (t *table) write(dst []byte, n, code, length int) int {
	to := dst[n:min(n+length, len(dst))]
	if length <= shortBytes {
		var head [wordBytes]byte
		binary.LittleEndian.PutUint64(head[:], uint64(t.entries[code]))
		return copy(to, head[:])
	}
	// The string just added ends with a byte that is not there yet, but its first one.
	from := dst[t.start+int(t.places[code]) : n]
	copied := copy(to, from)
	copy(to[copied:], from)
	return len(to)
}
