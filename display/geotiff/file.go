package geotiff

import "encoding/binary"

// headerBytes is the length of what a file begins with, up to the first directory.
func headerBytes(big bool) int {
	if big {
		return 16
	}
	return 8
}

// appendHeader appends what a file begins with. The first directory follows at once.
func appendHeader(dst []byte, big bool) []byte {
	if big {
		dst = append(dst, 'I', 'I', 43, 0, 8, 0, 0, 0) // offsets of 8 bytes
		return binary.LittleEndian.AppendUint64(dst, uint64(headerBytes(big)))
	}
	dst = append(dst, 'I', 'I', 42, 0)
	return binary.LittleEndian.AppendUint32(dst, uint32(headerBytes(big)))
}

// put writes the directory into room, which begins at the given offset of the file and has the size of the directory.
// next is the offset of the directory after it, 0 if there is none.
func (d *directory) put(room []byte, offset, next int) {
	clear(room)
	free := aligned(d.tableBytes())
	table := d.appendCount(room[:0], len(d.entries))
	for _, e := range d.entries {
		table = binary.LittleEndian.AppendUint16(table, uint16(e.tag))
		table = binary.LittleEndian.AppendUint16(table, uint16(e.kind))
		table = d.appendOffset(table, e.count)
		values := d.values[e.start:e.end]
		if len(values) <= d.inlineBytes() {
			copy(table[len(table):][:d.inlineBytes()], values)
			table = table[:len(table)+d.inlineBytes()]
			continue
		}
		table = d.appendOffset(table, offset+free)
		copy(room[free:], values)
		free += aligned(len(values))
	}
	d.appendOffset(table, next)
}

func (d *directory) appendCount(table []byte, count int) []byte {
	if d.big {
		return binary.LittleEndian.AppendUint64(table, uint64(count))
	}
	return binary.LittleEndian.AppendUint16(table, uint16(count))
}

func (d *directory) appendOffset(table []byte, offset int) []byte {
	if d.big {
		return binary.LittleEndian.AppendUint64(table, uint64(offset))
	}
	return binary.LittleEndian.AppendUint32(table, uint32(offset))
}
