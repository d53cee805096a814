package jp2k

import (
	"encoding/binary"
	"fmt"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
)

// What is kept between runs of the program begins with how it is written; where that
// changes, the number does.
const keptForm = "jp2k:1"

// What took about as long to find out as it takes to look it up is not kept.
const (
	leastKeptBytes = 64 << 10 // of a tile's index
	leastKeptParts = 64
)

// mostKeptBytes is the largest value that is kept as one.
const mostKeptBytes = 15 << 20

func (f *File) keptKey(what string) string { return keptForm + ":" + f.config.Key + ":" + what }

func tileName(number int) string { return fmt.Sprintf("tile:%d", number) }

func partsName(walked bool) string { return fmt.Sprintf("parts:%t", walked) }

// keptIndex is what an earlier run found out of the code-blocks of a tile, or nil.
func (f *File) keptIndex(t *codestream.Tile) *packets.Index {
	data := f.kept(tileName(t.Number))
	if data == nil {
		return nil
	}
	index, err := packets.Parse(t, data, f.config.Limits.Packets)
	if err != nil {
		return nil
	}
	return index
}

func (f *File) keepIndex(t *tile) {
	if f.config.Kept != nil && t.index.Size() >= leastKeptBytes {
		f.keep(tileName(t.Number), t.index.AppendBinary(nil))
	}
}

// keptParts is where an earlier run found the tile-parts, or nil.
func (f *File) keptParts(walked bool) *codestream.Parts {
	data := f.kept(partsName(walked))
	if data == nil {
		return nil
	}
	parts, err := f.header.ParseParts(data, f.where.Length)
	if err != nil {
		return nil
	}
	return parts
}

func (f *File) keepParts(parts *codestream.Parts, walked bool) {
	if f.config.Kept == nil || parts.Count() < leastKeptParts {
		return
	}
	if data, err := parts.AppendBinary(nil); err == nil {
		f.keep(partsName(walked), data)
	}
}

// keep keeps data in pieces, the first of which begins with how many bytes there are. That
// it may not be kept is nobody's loss but time.
func (f *File) keep(what string, data []byte) {
	data = append(binary.AppendUvarint(nil, uint64(len(data))), data...)
	for i := 0; len(data) > 0; i++ {
		n := min(len(data), mostKeptBytes)
		if f.config.Kept.Put(f.keptKey(fmt.Sprintf("%s:%d", what, i)), data[:n]) != nil {
			return
		}
		data = data[n:]
	}
}

// kept is what was kept, or nil where any of it is gone.
func (f *File) kept(what string) []byte {
	if f.config.Kept == nil {
		return nil
	}
	data, ok := f.config.Kept.Get(f.keptKey(what + ":0"))
	length, n := binary.Uvarint(data)
	if !ok || n <= 0 {
		return nil
	}
	for i := 1; uint64(len(data)-n) < length; i++ {
		more, ok := f.config.Kept.Get(f.keptKey(fmt.Sprintf("%s:%d", what, i)))
		if !ok {
			return nil
		}
		data = append(data, more...)
	}
	return data[n:]
}
