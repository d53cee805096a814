package lzw

import "encoding/binary"

// writeShort decodes while strings are short, the width of codes is constant, and neither end is
// near, which is most of the time. It returns at any other code.
func (t *table) writeShort(dst []byte, n int, codes *codeReader, width uint) int {
	if t.next <= endCode {
		return n
	}
	// A code takes less than two bytes and yields less than eight. The last one is read and written
	// with a whole word.
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

// writeShortRunInGo decodes until the next code to add is end. It returns the index after the last
// byte written to dst.
func writeShortRunInGo(t *table, dst []byte, n int, codes *codeReader, width uint, end int) int {
	src, bit, highestFirst, unused := codes.src, codes.bit, codes.highestFirst, 32-width
	next, previous := t.next, t.previous
	for next < end {
		code := extract(binary.LittleEndian.Uint32(src[bit>>3:]), uint(bit&7), unused, highestFirst)
		e := t.entries[code%codeCount]
		if code >= next || e.length() > shortBytes {
			break
		}
		bit += int(width)
		binary.LittleEndian.PutUint64(dst[n:], uint64(e))
		t.entries[next] = previous.extend(e)
		next++
		t.offsets[next] = uint32(n)
		n += int(e.length())
		previous = e
	}
	t.next, t.previous = next, previous
	return n
}
