package encoder

import (
	"encoding/binary"
	"slices"
)

const (
	everyByte    = 0x0101010101010101
	everyHighBit = 0x8080808080808080
)

// appendStuffed appends data with a zero byte after every 0xff. Most words contain no 0xff and are
// copied whole.
func appendStuffed(out, data []byte) []byte {
	start := len(out)
	out = slices.Grow(out, 2*len(data))[:start+2*len(data)]
	at := start
	for ; len(data) >= 8; data = data[8:] {
		word := binary.LittleEndian.Uint64(data)
		if (^word-everyByte)&word&everyHighBit == 0 { // no byte of ^word is zero
			binary.LittleEndian.PutUint64(out[at:], word)
			at += 8
		} else {
			at += stuff(out[at:], data[:8])
		}
	}
	return out[:at+stuff(out[at:], data)]
}

// stuff writes data to out with stuffing, and returns the number of bytes written.
func stuff(out, data []byte) (length int) {
	for _, value := range data {
		out[length] = value
		length++
		if value == 0xff {
			out[length] = 0
			length++
		}
	}
	return length
}
