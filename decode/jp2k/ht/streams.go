package ht

import (
	"encoding/binary"
	"math/bits"
)

// streamPadding is the number of filling bytes after a stream, so that bits can be fetched in
// words.
const streamPadding = 32

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// unstuffer collects the bits of a stream, lowest first, without the bits that encoders stuff to
// avoid markers. Afterwards bits can be fetched from any position.
type unstuffer struct {
	to    []byte
	size  int
	bits  uint64
	count uint // below 8 between bytes
}

// hasRoom reports whether so many bytes fit before the padding.
func (u *unstuffer) hasRoom(size int) bool { return u.size+size <= len(u.to)-streamPadding }

func (u *unstuffer) word(word uint64) {
	binary.LittleEndian.PutUint64(u.to[u.size:], u.bits|word<<(u.count&7))
	u.bits = word >> 1 >> (^u.count & 63)
	u.size += 8
}

func (u *unstuffer) byte(value byte, count uint) {
	u.bits |= uint64(value) << u.count
	u.count += count
	if u.count >= 8 {
		u.to[u.size] = byte(u.bits)
		u.size++
		u.bits >>= 8
		u.count -= 8
	}
}

// finish fills up the last byte and the padding. It returns the position after which only filling
// follows.
func (u *unstuffer) finish(fill byte) (end int) {
	last := u.to[u.size:][:streamPadding]
	word := uint64(fill) * lowBits
	for i := 0; i < streamPadding; i += 8 {
		binary.LittleEndian.PutUint64(last[i:], word)
	}
	last[0] = byte(u.bits) | fill<<u.count
	return u.size + 1
}

// forward unstuffs a stream that grows forward: after 0xFF a byte has seven bits. Bytes that do not
// fit are discarded. Filling follows the end.
func (u *unstuffer) forward(from []byte, fill byte) (end int) {
	last := byte(0)
	for len(from) > 0 && u.hasRoom(1) {
		for len(from) >= 8 && last != 0xFF && u.hasRoom(8) {
			word := binary.LittleEndian.Uint64(from)
			if (^word-lowBits)&word&highBits != 0 { // one of the bytes is 0xFF
				break
			}
			u.word(word)
			from = from[8:]
		}
		for _, value := range from[:min(8, len(from))] {
			if !u.hasRoom(1) {
				break
			}
			if last == 0xFF {
				u.byte(value&0x7F, 7)
			} else {
				u.byte(value, 8)
			}
			last = value
		}
		from = from[min(8, len(from)):]
	}
	return u.finish(fill)
}

// backward unstuffs a stream that grows from the end of from to its beginning. After a byte above
// 0x8F, a byte whose lower seven bits are all ones has only these seven. Its filling is zeros.
func (u *unstuffer) backward(from []byte, last byte) (end int) {
	for len(from) > 0 && u.hasRoom(1) {
		for len(from) >= 8 && u.hasRoom(8) {
			word := bits.ReverseBytes64(binary.LittleEndian.Uint64(from[len(from)-8:]))
			if ones := word | highBits; (^ones-lowBits)&ones&highBits != 0 { // a byte ends in seven ones
				break
			}
			u.word(word)
			last = from[len(from)-8]
			from = from[:len(from)-8]
		}
		for range min(8, len(from)) {
			if !u.hasRoom(1) {
				break
			}
			value := from[len(from)-1]
			from = from[:len(from)-1]
			if last > 0x8F && value&0x7F == 0x7F {
				u.byte(0x7F, 7)
			} else {
				u.byte(value, 8)
			}
			last = value
		}
	}
	return u.finish(0)
}
