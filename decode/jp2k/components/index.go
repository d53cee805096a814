package components

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"tileserver/decode"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
)

// tile holds the headers of a tile of the codestream, and the index or the map of its packets. It
// is immutable and shared.
type tile struct {
	*codestream.Tile                    // nil if damaged; reduced if there is an index
	index            *packets.Index     // of all of its code-blocks, or nil
	packetMap        *packets.PacketMap // location of its packets, if these are read on demand
	damage           error              // of the headers; a missing tile has nothing else
}

// isMissing reports whether nothing of the tile is stored.
func (t *tile) isMissing() bool { return t.index == nil && t.packetMap == nil }

// headerBytes returns the memory of the headers of t.
func (t *tile) headerBytes() int64 {
	if t.isMissing() {
		return tileBytes
	}
	resolutions := 0
	for i := range t.Components {
		resolutions += len(t.Components[i].Resolutions)
	}
	return headerBytesOf(len(t.Components), resolutions)
}

// Size returns the memory of t.
func (t *tile) Size() int64 {
	n := t.headerBytes()
	if t.index != nil {
		n += t.index.Size()
	}
	if t.packetMap != nil {
		n += t.packetMap.Size() + 4*int64(len(t.PacketLengths))
	}
	return n
}

// tileKey identifies a tile of a file.
type tileKey struct {
	file   string
	number int
}

// tiles returns tiles by number, and loads those that are not cached.
func (s *Codestream) tiles(ctx context.Context, numbers []int) (map[int]*tile, error) {
	keys := make([]tileKey, len(numbers))
	for i, n := range numbers {
		keys[i] = tileKey{s.config.Key, n}
	}
	found, err := s.shared.tiles.Fetch(ctx, keys, s.loadTiles)
	if err != nil {
		return nil, err
	}
	tiles := make(map[int]*tile, len(numbers))
	for i, n := range numbers {
		tiles[n] = found[i]
	}
	return tiles, nil
}

// maxTileReaders is the number of tiles that are read at a time, each by its own reader.
const maxTileReaders = 8

// loadTiles reads the headers of tiles and of their packets. Neighbors are consecutive in most
// files, so each reader gets consecutive tiles.
func (s *Codestream) loadTiles(ctx context.Context, missing []tileKey) ([]*tile, error) {
	release, err := s.reserveTileReaders(ctx, len(missing))
	if err != nil {
		return nil, err
	}
	defer release()
	r := s.newReader(ctx)
	parts, err := s.parts(r, missing)
	if err != nil {
		return nil, err
	}
	if err := s.prefetch(r, s.ahead(r, parts, missing)); err != nil {
		return nil, err
	}
	tiles, errs, read := make([]*tile, len(missing)), make([]error, maxTileReaders), make([]readBytes, len(missing))
	var readers sync.WaitGroup
	each := ceilDivide(len(missing), maxTileReaders)
	for i := range maxTileReaders {
		first, end := min(i*each, len(missing)), min((i+1)*each, len(missing))
		if first == end {
			break
		}
		readers.Go(func() {
			p := tileReader{Codestream: s, reader: r.with(ctx), parts: parts, share: shareOf(len(missing))}
			for at := first; at < end && errs[i] == nil; at++ {
				tiles[at], errs[i] = p.safeTile(missing[at].number)
				read[at] = p.read
			}
		})
	}
	readers.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return tiles, keep(ctx, s.shared.read.tiles, missing, read)
}

// reserveTileReaders reserves the memory for the headers of tiles and for their readers: a scan,
// and two consecutive buffers; of far tiles also the pieces that are under way, and what is kept.
func (s *Codestream) reserveTileReaders(ctx context.Context, tiles int) (release func(), err error) {
	readers := int64(min(tiles, maxTileReaders))
	buffers := readers * 2 * maxReadBytes
	if s.isFar {
		buffers += (maxPieces+readers)*maxPieceBytes + maxWalkKeptBytes
	}
	bytes := int64(tiles)*s.estimates.headers + readers*s.estimates.scan + min(buffers, s.extent.Length)
	if limit := s.config.Pool.MaxReserve(); limit > 0 {
		bytes = min(bytes, limit)
	}
	return s.config.Pool.Reserve(ctx, bytes)
}

// tileReader reads tiles one after the other.
type tileReader struct {
	*Codestream
	reader *prefetchReader
	parts  *codestream.Parts
	share  walkShare
	read   readBytes // what it has read of the last tile
}

// safeTile is tile, but returns an error if tile panics, which must not end the process.
func (r *tileReader) safeTile(number int) (t *tile, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("tile %d: %w: reading its headers panicked: %v\n%s", number, decode.ErrCorruptBlock, panicked, debug.Stack())
		}
	}()
	return r.tile(number)
}

func (r *tileReader) tile(number int) (*tile, error) {
	r.read = nil
	if err := context.Cause(r.reader.ctx); err != nil {
		return nil, err
	}
	if r.parts.OfTile(number) == 0 {
		return new(tile), nil
	}
	headers, err := r.headers(number)
	switch {
	case errors.Is(err, codestream.ErrCorrupt) && r.header.Tiles() > 1:
		r.damage.report("tile", "%v", err)
		return &tile{damage: err}, nil
	case err != nil:
		return nil, err
	case headers.Damage != nil:
		r.damage.report("tile", "tile %d: %v", number, headers.Damage)
	}
	if len(headers.Parts) == 0 {
		return &tile{damage: headers.Damage}, nil
	}
	t := &tile{Tile: headers, damage: headers.Damage}
	if err := r.index(t); err != nil {
		return nil, fmt.Errorf("tile %d: %w", number, err)
	}
	if headers.PacketLengths != nil {
		r.hasLengths.Store(true)
	}
	if t.index != nil {
		t.PackedHeaders, t.PacketLengths = nil, nil // the index has all that they say
	}
	return t, nil
}

// headers returns the headers of a tile. If the tile is not where the main header says, headers
// finds the tile-parts again.
func (r *tileReader) headers(number int) (*codestream.Tile, error) {
	t, err := r.header.ReadTile(r.reader, r.parts, number)
	if !errors.Is(err, codestream.ErrMisplaced) {
		return t, err
	}
	r.misplaced.Store(true)
	if r.parts, err = r.Codestream.parts(r.reader, nil); err != nil {
		return nil, err
	}
	return r.header.ReadTile(r.reader, r.parts, number)
}

// minMappedBytes is the minimum size of a tile whose packets are read on demand. Smaller tiles are
// read from beginning to end.
const minMappedBytes = 256 << 10

// index sets the packet map or the index of t.
func (r *tileReader) index(t *tile) (err error) {
	stored := int64(0)
	for _, part := range t.Parts {
		stored += part.Length
	}
	if stored >= minMappedBytes && t.PacketLengths != nil {
		if t.packetMap, err = packets.Locate(r.reader.ctx, t.Tile, r.config.Limits.Packets); err == nil {
			return nil
		}
		t.packetMap = nil
	}
	if t.index = r.loadIndex(r.reader.ctx, t.Tile); t.index != nil {
		return nil
	}
	if t.index, err = r.scan(t.Tile); err != nil {
		return err
	}
	if damage := t.index.Damage(); damage != nil {
		r.damage.report("packets", "tile %d: %v", t.Number, damage)
		return nil
	}
	r.storeIndex(r.reader.ctx, t)
	return nil
}

// scan returns the index of a tile whose packets it reads from the first to the last.
func (r *tileReader) scan(t *codestream.Tile) (*packets.Index, error) {
	if !r.reader.isFar {
		return packets.Scan(r.reader.ctx, r.reader, t, r.config.Limits.Packets)
	}
	parts := make([]packets.Range, len(t.Parts))
	for i, part := range t.Parts {
		parts[i] = packets.Range{Offset: part.Offset, Length: part.Length}
	}
	w := newWalk(r.reader, parts, r.share)
	defer w.stop()
	index, err := packets.Scan(r.reader.ctx, w, t, r.config.Limits.Packets)
	r.read = append(w.kept, r.reader.readOf(parts)...)
	r.read.sort()
	return index, err
}
