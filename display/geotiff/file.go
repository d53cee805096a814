package geotiff

import "encoding/binary"

// headerBytes returns the size of the header, which ends where the first directory begins.
func headerBytes(big bool) int {
	if big {
		return 16
	}
	return 8
}

// appendHeader appends the header. The first directory follows immediately.
func appendHeader(dst []byte, big bool) []byte {
	if big {
		dst = append(dst, 'I', 'I', 43, 0, 8, 0, 0, 0) // offsets of 8 bytes
		return binary.LittleEndian.AppendUint64(dst, uint64(headerBytes(big)))
	}
	dst = append(dst, 'I', 'I', 42, 0)
	return binary.LittleEndian.AppendUint32(dst, uint32(headerBytes(big)))
}

// put writes the directory into room, which lies at offset in the file and has the size of the
// directory. Next is the offset of the following directory, or 0.
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
