package tifftest

// Codes of TIFF's LZW.
const (
	lzwClear    = 256
	lzwEnd      = 257
	lzwFirst    = 258
	lzwLast     = 4094 // after this code is assigned, the table is cleared
	lzwMinWidth = 9
	lzwMaxWidth = 12
	lzwNoCode   = -1
)

// lzwWriter packs codes, highest bit first.
type lzwWriter struct {
	out   []byte
	bits  uint32
	count uint
	next  int // the next code to assign
	width uint
	table map[lzwString]int
}

// lzwString is the code of a known string and, in the lowest byte, the byte that follows it.
type lzwString uint32

func encodeLZW(data []byte) []byte {
	w := &lzwWriter{table: map[lzwString]int{}, width: lzwMinWidth}
	w.reset()
	current := lzwNoCode
	for _, b := range data {
		if current == lzwNoCode {
			current = int(b)
			continue
		}
		longer := lzwString(current)<<8 | lzwString(b)
		if code, known := w.table[longer]; known {
			current = code
			continue
		}
		w.write(current)
		w.learn(longer)
		current = int(b)
		if w.next > lzwLast {
			w.reset()
		}
	}
	if current != lzwNoCode {
		w.write(current)
		w.next++ // the reader adds a string for this code, too
		w.widen()
	}
	w.write(lzwEnd)
	return append(w.out, byte(w.bits>>24))
}

// reset writes a clear code and discards all strings.
func (w *lzwWriter) reset() {
	w.write(lzwClear)
	clear(w.table)
	w.next, w.width = lzwFirst, lzwMinWidth
}

func (w *lzwWriter) learn(s lzwString) {
	w.table[s] = w.next
	w.next++
	w.widen()
}

// widen widens codes one code early. The reader counts like that because its table is one string
// behind.
func (w *lzwWriter) widen() {
	if w.next >= 1<<w.width && w.width < lzwMaxWidth {
		w.width++
	}
}

func (w *lzwWriter) write(code int) {
	w.bits |= uint32(code) << (32 - w.width - w.count)
	w.count += w.width
	for w.count >= 8 {
		w.out = append(w.out, byte(w.bits>>24))
		w.bits <<= 8
		w.count -= 8
	}
}
