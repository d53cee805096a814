package overview

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"tileserver/raster"
)

// Saved keeps built blocks that outlive the process. Keys are those of one version of a dataset, and of
// SavedVersion. What was put may be gone at any time, and what is contained may be unreadable for a
// while.
type Saved interface {
	Contains(key string) bool // must be cheap
	Get(ctx context.Context, key string) (value []byte, ok bool)
	Put(ctx context.Context, key string, value []byte)
	Remove(ctx context.Context, key string)
}

// SavedVersion is the first part of the keys of saved blocks, and tells whoever keeps them which ones
// nobody asks for again. It must be increased when their bytes change, or the pixels that are built.
const SavedVersion = "overview2"

// savedKey returns the key of a saved block.
func (m *blockBuilder) savedKey(level int, id raster.BlockID) string {
	return fmt.Sprintf("%s:%s:bands:%v:level:%d:block:%d,%d", SavedVersion, m.Key(), m.bands, level, id.Col, id.Row)
}

func (m *blockBuilder) isSaved(level int, id raster.BlockID) bool {
	return m.config.Saved != nil && m.config.Saved.Contains(m.savedKey(level, id))
}

// load returns a saved block.
func (m *blockBuilder) load(ctx context.Context, level int, id raster.BlockID) (raster.Tile, bool) {
	if m.config.Saved == nil {
		return raster.Tile{}, false
	}
	key := m.savedKey(level, id)
	value, ok := m.config.Saved.Get(ctx, key)
	if !ok {
		return raster.Tile{}, false
	}
	rect := m.info.Levels[level].Block(id)
	tile, ok := decodeBlock(value, raster.NewBuffer(m.info.Type, rect.Width(), rect.Height(), len(m.bands)))
	if !ok {
		m.config.Saved.Remove(ctx, key)
	}
	return tile, ok
}

// save saves a block. A damaged one is built again after a restart, so that its damage is reported
// again.
func (m *blockBuilder) save(ctx context.Context, level int, id raster.BlockID, tile raster.Tile) {
	if m.config.Saved != nil && tile.Damage().IsZero() {
		m.config.Saved.Put(ctx, m.savedKey(level, id), encodeBlock(tile))
	}
}

// loadOrBuild loads the blocks that are saved, or are the same without the mask, and builds the others. A
// saved block that is lost, or cannot be read now, may make that too expensive for a request.
func (m *blockBuilder) loadOrBuild(ctx context.Context, level int, ids []raster.BlockID) ([]raster.Tile, error) {
	tiles := make([]raster.Tile, len(ids))
	unmasked, err := m.fromUnmasked(ctx, level, ids)
	if err != nil {
		return nil, err
	}
	var rest []raster.BlockID
	var places []int // indices of rest in tiles
	isLost := false
	for i, id := range ids {
		var ok bool
		if tiles[i], ok = unmasked[id]; ok {
			continue
		}
		wasSaved := m.isSaved(level, id)
		if wasSaved {
			tiles[i], ok = m.load(ctx, level, id)
		}
		if !ok {
			rest, places, isLost = append(rest, id), append(places, i), isLost || wasSaved
		}
	}
	if isLost && !m.isSweep {
		if err := m.checkLost(ctx, level, rest); err != nil {
			return nil, err
		}
	}
	built, err := m.buildBlocks(ctx, level, rest)
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		tiles[place] = built[i]
		if m.isSweep && level >= m.cacheFrom {
			m.save(ctx, level, rest[i], built[i])
		}
	}
	return tiles, nil
}

// The coverage of a band in a saved block.
const (
	allValid = iota
	asBandBefore
	ownCoverage
)

// encodeBlock returns the bytes of a saved block: for each band, its coverage and its samples, and then
// of which samples it was made, if that is known.
func encodeBlock(tile raster.Tile) []byte {
	value := make([]byte, 0, tile.Size()+int64(tile.Bands()))
	for band := range tile.Bands() {
		coverage := tile.Validity(band)
		switch {
		case coverage == nil:
			value = append(value, allValid)
		case band > 0 && !tile.HasOwnValidity():
			value = append(value, asBandBefore)
		default:
			value = append(append(value, ownCoverage), coverage...)
		}
		value = appendLittleEndian(value, tile.Plane(band), tile.Type().Size())
	}
	return appendSamples(value, tile.MadeOf())
}

// decodeBlock returns the tile of a saved block, which it reads into a buffer.
func decodeBlock(value []byte, to *raster.Buffer) (tile raster.Tile, ok bool) {
	pixels := to.Width() * to.Height()
	validity := make([][]uint8, to.Bands())
	for band := range validity {
		if len(value) == 0 {
			return raster.Tile{}, false
		}
		kind := value[0]
		value = value[1:]
		switch {
		case kind == allValid:
		case kind == asBandBefore && band > 0:
			validity[band] = validity[band-1]
		case kind == ownCoverage && len(value) >= pixels:
			validity[band], value = bytes.Clone(value[:pixels]), value[pixels:]
		default:
			return raster.Tile{}, false
		}
		plane := to.Plane(band)
		if len(value) < len(plane) {
			return raster.Tile{}, false
		}
		appendLittleEndian(plane[:0], value[:len(plane)], to.Type().Size())
		value = value[len(plane):]
	}
	madeOf, ok := decodeSamples(value, to.Bands())
	return to.Freeze().WithBandValidity(validity).WithMadeOf(madeOf), ok
}

// appendLittleEndian appends samples of a size in bytes. It swaps the bytes on machines that are big
// endian, so that it converts from and to saved blocks.
func appendLittleEndian(to, samples []byte, size int) []byte {
	at := len(to)
	to = append(to, samples...)
	if size == 1 || binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return to
	}
	for ; at < len(to); at += size {
		for i := range size / 2 {
			to[at+i], to[at+size-1-i] = to[at+size-1-i], to[at+i]
		}
	}
	return to
}
