package taglist

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
)

// rawEntry is an entry of a classic little-endian directory, with its value or the value's offset.
type rawEntry struct {
	tag, kind    uint16
	count, value uint32
}

// rawDirectory returns a directory, followed by the offset of the next one.
func rawDirectory(next uint32, entries ...rawEntry) []byte {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, uint16(len(entries)))
	binary.Write(&b, binary.LittleEndian, entries)
	binary.Write(&b, binary.LittleEndian, next)
	return b.Bytes()
}

// rawFile returns a header and one directory at offset 8.
func rawFile(next uint32, entries ...rawEntry) []byte {
	return append([]byte("II*\x00\x08\x00\x00\x00"), rawDirectory(next, entries...)...)
}

// rawImage returns the entries of an image of one uncompressed strip of 8x4 pixels. Entries in
// replaced override its own.
func rawImage(replaced ...rawEntry) []rawEntry {
	entries := []rawEntry{
		{256, 3, 1, 8}, {257, 3, 1, 4}, {258, 3, 1, 8}, {259, 3, 1, 1}, {262, 3, 1, 1},
		{273, 4, 1, 8}, {277, 3, 1, 1}, {278, 3, 1, 4}, {279, 4, 1, 32},
	}
	for _, r := range replaced {
		i := slices.IndexFunc(entries, func(e rawEntry) bool { return e.tag == r.tag })
		if i < 0 {
			entries = append(entries, r)
		} else {
			entries[i] = r
		}
	}
	return entries
}

// rawChain returns a chain of directories whose only entry has the same value.
func rawChain(count int, tag, kind uint16, value []byte) []byte {
	const directoryBytes = 2 + 12 + 4
	e := rawEntry{tag, kind, uint32(len(value)), uint32(8 + count*directoryBytes)}
	file := rawFile(0)[:8]
	for i := range count - 1 {
		file = append(file, rawDirectory(uint32(8+(i+1)*directoryBytes), e)...)
	}
	return append(append(file, rawDirectory(0, e)...), value...)
}

// manyBelow returns an image whose sub-directories all overlap: its bytes form a large directory
// wherever reading begins.
func manyBelow() []byte {
	const directories, region = 16000, 100 << 10
	file := rawFile(0, rawImage(rawEntry{330, 4, directories, 8 + 2 + 10*12 + 4})...)
	start := len(file) + 4*directories
	for i := range directories {
		file = binary.LittleEndian.AppendUint32(file, uint32(start+i))
	}
	return append(file, strings.Repeat("\x0f", region)...)
}

// allocatedBy returns how many bytes are allocated while f runs.
func allocatedBy(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
