// Package encoder compresses bytes to LZW as TIFF has it, from a slice into a slice. encode/blocks
// calls it. It knows neither files nor images nor predictors.
package encoder

const (
	clearCode = 256
	endCode   = 257
	firstCode = 258
	lastCode  = 4093 // the last code of a string; the code that some readers lack is never needed
	minWidth  = 9
	maxWidth  = 12
)

// Encoder compresses data and reuses its table. The zero value is ready to use. It is not safe for
// concurrent use.
type Encoder struct {
	strings table
	codes   codeWriter
}

// Append appends the compressed data to dst. Equal data give equal bytes.
func (e *Encoder) Append(dst, data []byte) []byte {
	e.codes.begin(dst)
	e.clear()
	if len(data) > 0 {
		e.write(data)
	}
	e.codes.put(endCode)
	return e.codes.end()
}

// write writes the codes of data, which is not empty. A string grows as long as it is known.
func (e *Encoder) write(data []byte) {
	current := int(data[0])
	for _, b := range data[1:] {
		if code, known := e.strings.find(current, b, e.codes.next); known {
			current = code
			continue
		}
		e.codes.put(current)
		e.codes.count()
		if e.codes.next > lastCode {
			e.clear()
		}
		current = int(b)
	}
	e.codes.put(current)
	e.codes.count() // the reader adds a string for this code, too
}

// clear tells the reader to drop all strings, and drops them.
func (e *Encoder) clear() {
	e.codes.put(clearCode)
	e.codes.next, e.codes.width = firstCode, minWidth
	e.strings.clear()
}
