package tier1test

// rawEncoder writes bits. After a byte of 0xFF it writes only seven, so that no marker can appear.
type rawEncoder struct {
	bytes        []byte
	bits, needed int // of the current byte
}

func (e *rawEncoder) begin() { e.bytes, e.bits, e.needed = nil, 0, 8 }

func (e *rawEncoder) encode(bit int) {
	e.bits = e.bits<<1 | bit
	e.needed--
	if e.needed > 0 {
		return
	}
	e.bytes = append(e.bytes, byte(e.bits))
	e.needed = 8
	if e.bits == 0xFF {
		e.needed = 7
	}
	e.bits = 0
}

// flush fills the last byte with alternating zeros and ones. A codeword must not end with 0xFF, and
// decoders do not need that byte.
func (e *rawEncoder) flush() []byte {
	length := len(e.bytes)
	whole := e.needed == 8 || e.needed == 7 && length > 0 && e.bytes[length-1] == 0xFF
	for fill := 0; !whole && len(e.bytes) == length; fill ^= 1 {
		e.encode(fill)
	}
	if length = len(e.bytes); length > 0 && e.bytes[length-1] == 0xFF {
		return e.bytes[:length-1]
	}
	return e.bytes
}

// rawDecoder reads bits. After the codeword it reads ones.
type rawDecoder struct {
	bytes    []byte
	at, left int // index of the current byte, and the bits of it that are left
}

func (d *rawDecoder) begin(codeword []byte) { d.bytes, d.at, d.left = codeword, -1, 0 }

func (d *rawDecoder) decode() int {
	if d.left == 0 {
		d.left = 8
		if d.at >= 0 && d.at < len(d.bytes) && d.bytes[d.at] == 0xFF {
			d.left = 7
		}
		d.at++
	}
	d.left--
	if d.at >= len(d.bytes) {
		return 1
	}
	return int(d.bytes[d.at] >> d.left & 1)
}
