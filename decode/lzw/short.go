package lzw

import "encoding/binary"

// writeShort decodes as long as strings are short, the width of codes stays, and neither end is near: that is most of the
// time. It knows the codes before the next one to be added, and leaves all else to others.
func (t *table) writeShort(dst []byte, n int, codes *codeReader, width uint) int {
	if t.next <= endCode {
		return n
	}
	// A code takes less than two bytes and gives less than eight; the last one of either is read and written with more.
	left, room := len(codes.src)-codes.bit>>3-wordBytes, len(dst)-n-wordBytes
	from := t.next
	end := from + min(codes.until(from, width), codeCount-from, left>>1, room>>3)
	if from >= end {
		return n
	}
	n = t.start + writeShortRun(t, dst[t.start:], n-t.start, codes, width, end)
	codes.bit += (t.next - from) * int(width)
	return n
}

// writeShortRunInGo goes on to code end, and returns where it stopped in dst.
func writeShortRunInGo(t *table, dst []byte, n int, codes *codeReader, width uint, end int) int {
	src, bit, highestFirst, beside := codes.src, codes.bit, codes.highestFirst, 32-width
	next, previous := t.next, t.previous
	for next < end {
		code := extract(binary.LittleEndian.Uint32(src[bit>>3:]), uint(bit&7), beside, highestFirst)
		e := t.entries[code%codeCount]
		if code >= next || e.length() > shortBytes {
			break
		}
		bit += int(width)
		binary.LittleEndian.PutUint64(dst[n:], uint64(e))
		t.entries[next] = previous.and(e)
		next++
		t.places[next] = uint32(n)
		n += int(e.length())
		previous = e
	}
	t.next, t.previous = next, previous
	return n
}
