package components

import (
	"context"
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

func (s *Codestream) storeKey(what string) string {
	return storedVersion + ":" + s.config.Key + ":" + what
}

func tileName(number int) string { return fmt.Sprintf("tile:%d", number) }

func partsName(scanned bool) string { return fmt.Sprintf("parts:%t", scanned) }

// loadIndex returns the stored index of a tile, or nil.
func (s *Codestream) loadIndex(ctx context.Context, t *codestream.Tile) *packets.Index {
	data := s.load(ctx, tileName(t.Number))
	if data == nil {
		return nil
	}
	index, err := packets.Parse(t, data, s.config.Limits.Packets)
	if err != nil {
		return nil
	}
	return index
}

func (s *Codestream) storeIndex(ctx context.Context, t *tile) {
	if s.config.Store != nil && t.index.Size() >= minStoredBytes {
		s.store(ctx, tileName(t.Number), t.index.AppendBinary(nil))
	}
}

// loadParts returns the stored tile-parts, or nil.
func (s *Codestream) loadParts(ctx context.Context, scanned bool) *codestream.Parts {
	data := s.load(ctx, partsName(scanned))
	if data == nil {
		return nil
	}
	parts, err := s.header.ParseParts(data, s.extent.Length)
	if err != nil {
		return nil
	}
	return parts
}

func (s *Codestream) storeParts(ctx context.Context, parts *codestream.Parts, scanned bool) {
	if s.config.Store == nil || parts.Count() < minStoredParts {
		return
	}
	if data, err := parts.AppendBinary(nil); err == nil {
		s.store(ctx, partsName(scanned), data)
	}
}

// store stores data in pieces. The first piece begins with the total size. A failure costs only
// time later.
func (s *Codestream) store(ctx context.Context, what string, data []byte) {
	data = append(binary.AppendUvarint(nil, uint64(len(data))), data...)
	for i := 0; len(data) > 0; i++ {
		n := min(len(data), maxStoredBytes)
		if s.config.Store.Put(ctx, s.storeKey(fmt.Sprintf("%s:%d", what, i)), data[:n]) != nil {
			return
		}
		data = data[n:]
	}
}

// load returns stored data, or nil if any piece is missing.
func (s *Codestream) load(ctx context.Context, what string) []byte {
	if s.config.Store == nil {
		return nil
	}
	data, ok := s.config.Store.Get(ctx, s.storeKey(what+":0"))
	length, n := binary.Uvarint(data)
	if !ok || n <= 0 {
		return nil
	}
	for i := 1; uint64(len(data)-n) < length; i++ {
		more, ok := s.config.Store.Get(ctx, s.storeKey(fmt.Sprintf("%s:%d", what, i)))
		if !ok {
			return nil
		}
		data = append(data, more...)
	}
	return data[n:]
}
