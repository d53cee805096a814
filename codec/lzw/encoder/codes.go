package encoder

import "encoding/binary"

// codeWriter writes codes of growing width, highest bit first.
type codeWriter struct {
	out     []byte
	bits    uint64 // the lowest ones, pending of them, are not written yet
	pending uint
	width   uint
	next    int // the code of the next string
}

func (w *codeWriter) begin(dst []byte) { *w = codeWriter{out: dst, width: minWidth, next: firstCode} }

// put writes a code. Bits are written four bytes at a time.
func (w *codeWriter) put(code int) {
	w.bits = w.bits<<w.width | uint64(code)
	w.pending += w.width
	if w.pending >= 32 {
		w.pending -= 32
		w.out = binary.BigEndian.AppendUint32(w.out, uint32(w.bits>>w.pending))
	}
}

// count counts a string. Codes grow one code before it is needed, since the reader, whose strings are
// one behind, counts like that.
func (w *codeWriter) count() {
	w.next++
	if w.next >= 1<<w.width && w.width < maxWidth {
		w.width++
	}
}

// end writes the last bits, and returns everything written.
func (w *codeWriter) end() []byte {
	for w.pending >= 8 {
		w.pending -= 8
		w.out = append(w.out, byte(w.bits>>w.pending))
	}
	if w.pending > 0 {
		w.out = append(w.out, byte(w.bits<<(8-w.pending)))
	}
	out := w.out
	w.out = nil // drop the reference to the caller's memory
	return out
}
