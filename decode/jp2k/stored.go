package jp2k

import (
	"encoding/binary"
	"fmt"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
)

// storedVersion is the version of the stored form. It must change with the form.
const storedVersion = "jp2k:1"

// Indexes that are as cheap to rebuild as to load are not stored.
const (
	minStoredBytes = 64 << 10 // of a tile's index
	minStoredParts = 64
)

// maxStoredBytes is the maximum size of one stored value.
const maxStoredBytes = 15 << 20

func (f *File) storeKey(what string) string { return storedVersion + ":" + f.config.Key + ":" + what }

func tileName(number int) string { return fmt.Sprintf("tile:%d", number) }

func partsName(scanned bool) string { return fmt.Sprintf("parts:%t", scanned) }

// loadIndex returns the stored index of a tile, or nil.
func (f *File) loadIndex(t *codestream.Tile) *packets.Index {
	data := f.load(tileName(t.Number))
	if data == nil {
		return nil
	}
	index, err := packets.Parse(t, data, f.config.Limits.Packets)
	if err != nil {
		return nil
	}
	return index
}

func (f *File) storeIndex(t *tile) {
	if f.config.Store != nil && t.index.Size() >= minStoredBytes {
		f.store(tileName(t.Number), t.index.AppendBinary(nil))
	}
}

// loadParts returns the stored tile-parts, or nil.
func (f *File) loadParts(scanned bool) *codestream.Parts {
	data := f.load(partsName(scanned))
	if data == nil {
		return nil
	}
	parts, err := f.header.ParseParts(data, f.extent.Length)
	if err != nil {
		return nil
	}
	return parts
}

func (f *File) storeParts(parts *codestream.Parts, scanned bool) {
	if f.config.Store == nil || parts.Count() < minStoredParts {
		return
	}
	if data, err := parts.AppendBinary(nil); err == nil {
		f.store(partsName(scanned), data)
	}
}

// store stores data in pieces. The first piece begins with the total size. A failure costs only
// time later.
func (f *File) store(what string, data []byte) {
	data = append(binary.AppendUvarint(nil, uint64(len(data))), data...)
	for i := 0; len(data) > 0; i++ {
		n := min(len(data), maxStoredBytes)
		if f.config.Store.Put(f.storeKey(fmt.Sprintf("%s:%d", what, i)), data[:n]) != nil {
			return
		}
		data = data[n:]
	}
}

// load returns stored data, or nil if any piece is missing.
func (f *File) load(what string) []byte {
	if f.config.Store == nil {
		return nil
	}
	data, ok := f.config.Store.Get(f.storeKey(what + ":0"))
	length, n := binary.Uvarint(data)
	if !ok || n <= 0 {
		return nil
	}
	for i := 1; uint64(len(data)-n) < length; i++ {
		more, ok := f.config.Store.Get(f.storeKey(fmt.Sprintf("%s:%d", what, i)))
		if !ok {
			return nil
		}
		data = append(data, more...)
	}
	return data[n:]
}
