package jp2k

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"tileserver/decode"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
)

// tile is what is known of a tile of the codestream: its headers, and where its packets are
// or what is in them. It is shared and never written.
type tile struct {
	*codestream.Tile                    // nil where that is damaged; with an index, without what that was made of
	index            *packets.Index     // of all of its code-blocks, or nil
	located          *packets.PacketMap // then this: its packets, of which those wanted are read; or nil too
	damage           error              // what is wrong with its headers; nothing else of it is known where missing
}

// missing says that nothing of the tile is stored.
func (t *tile) missing() bool { return t.index == nil && t.located == nil }

// headerBytes is the memory that the headers of t take.
func (t *tile) headerBytes() int64 {
	if t.missing() {
		return tileBytes
	}
	resolutions := 0
	for i := range t.Components {
		resolutions += len(t.Components[i].Resolutions)
	}
	return headerBytesOf(len(t.Components), resolutions)
}

// Size is the memory that t takes.
func (t *tile) Size() int64 {
	n := t.headerBytes()
	if t.index != nil {
		n += t.index.Size()
	}
	if t.located != nil {
		n += t.located.Size() + 4*int64(len(t.PacketLengths))
	}
	return n
}

// tileKey names a tile of a file by its key.
type tileKey struct {
	file   string
	number int
}

// tiles are what is known of tiles, which is found out for those that nobody has asked for
// lately.
func (f *File) tiles(ctx context.Context, numbers []int) (map[int]*tile, error) {
	keys := make([]tileKey, len(numbers))
	for i, n := range numbers {
		keys[i] = tileKey{f.config.Key, n}
	}
	found, err := f.shared.tiles.Fetch(ctx, keys, f.loadTiles)
	if err != nil {
		return nil, err
	}
	tiles := make(map[int]*tile, len(numbers))
	for i, n := range numbers {
		tiles[n] = found[i]
	}
	return tiles, nil
}

// mostPasses is how many tiles are read at a time, each by a reader of its own.
const mostPasses = 8

// loadTiles reads the headers of tiles and of their packets. Neighbours follow each other
// in most files, so each reader has a run of them.
func (f *File) loadTiles(ctx context.Context, missing []tileKey) ([]*tile, error) {
	release, err := f.reservePasses(ctx, len(missing))
	if err != nil {
		return nil, err
	}
	defer release()
	parts, err := f.parts(ctx)
	if err != nil {
		return nil, err
	}
	tiles, errs := make([]*tile, len(missing)), make([]error, mostPasses)
	var passes sync.WaitGroup
	each := ceilDivide(len(missing), mostPasses)
	for i := range mostPasses {
		first, end := min(i*each, len(missing)), min((i+1)*each, len(missing))
		if first == end {
			break
		}
		passes.Go(func() {
			p := pass{f, newReader(ctx, f.src, f.where), parts}
			for at := first; at < end && errs[i] == nil; at++ {
				tiles[at], errs[i] = p.tileSafely(missing[at].number)
			}
		})
	}
	passes.Wait()
	return tiles, errors.Join(errs...)
}

// reservePasses reserves what the headers of tiles take, and what readers do: walking, and two pieces at hand,
// as one follows the other.
func (f *File) reservePasses(ctx context.Context, tiles int) (release func(), err error) {
	readers := int64(min(tiles, mostPasses))
	bytes := int64(tiles)*f.about.headers + readers*f.about.walk + min(readers*2*mostPieceBytes, f.where.Length)
	if most := f.config.Pool.MaxReserve(); most > 0 {
		bytes = min(bytes, most)
	}
	return f.config.Pool.Reserve(ctx, bytes)
}

// pass is the reading of one tile after the other.
type pass struct {
	*File
	reader *reader
	parts  *codestream.Parts
}

// tileSafely is tile, and an error where that panics: a fault of ours, which must not end the process.
func (p *pass) tileSafely(number int) (t *tile, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("tile %d: %w: reading its headers panicked: %v\n%s", number, decode.ErrCorrupt, panicked, debug.Stack())
		}
	}()
	return p.tile(number)
}

func (p *pass) tile(number int) (*tile, error) {
	if err := context.Cause(p.reader.ctx); err != nil {
		return nil, err
	}
	if p.parts.OfTile(number) == 0 {
		return new(tile), nil
	}
	headers, err := p.headers(number)
	switch {
	case errors.Is(err, codestream.ErrCorrupt) && p.header.Tiles() > 1:
		p.damage.tell("tile", "%v", err)
		return &tile{damage: err}, nil
	case err != nil:
		return nil, err
	case headers.Damage != nil:
		p.damage.tell("tile", "tile %d: %v", number, headers.Damage)
	}
	if len(headers.Parts) == 0 {
		return &tile{damage: headers.Damage}, nil
	}
	t := &tile{Tile: headers, damage: headers.Damage}
	if err := p.index(t); err != nil {
		return nil, fmt.Errorf("tile %d: %w", number, err)
	}
	if t.index != nil {
		t.PackedHeaders, t.PacketLengths = nil, nil // all that they tell is in the index
	}
	return t, nil
}

// headers are those of a tile, which is looked for in another way if it is not where the main
// header promised it.
func (p *pass) headers(number int) (*codestream.Tile, error) {
	t, err := p.header.ReadTile(p.reader, p.parts, number)
	if !errors.Is(err, codestream.ErrMisplaced) {
		return t, err
	}
	p.misplaced.Store(true)
	if p.parts, err = p.File.parts(p.reader.ctx); err != nil {
		return nil, err
	}
	return p.header.ReadTile(p.reader, p.parts, number)
}

// leastLocatedBytes is how large a tile is at least that is not read from its beginning to
// its end, but where packets are wanted.
const leastLocatedBytes = 256 << 10

// index finds out where the packets of t are, or what is in all of them.
func (p *pass) index(t *tile) (err error) {
	stored := int64(0)
	for _, part := range t.Parts {
		stored += part.Length
	}
	if stored >= leastLocatedBytes && t.PacketLengths != nil {
		if t.located, err = packets.Locate(p.reader.ctx, t.Tile, p.config.Limits.Packets); err == nil {
			return nil
		}
		t.located = nil
	}
	if t.index = p.keptIndex(t.Tile); t.index != nil {
		return nil
	}
	if t.index, err = packets.Scan(p.reader.ctx, p.reader, t.Tile, p.config.Limits.Packets); err != nil {
		return err
	}
	if damage := t.index.Damage(); damage != nil {
		p.damage.tell("packets", "tile %d: %v", t.Number, damage)
		return nil
	}
	p.keepIndex(t)
	return nil
}

// partsKey names one of the two ways to find the tile-parts of a file.
type partsKey struct {
	file   string
	walked bool // from one to the next, as the table of the main header is wrong
}

// parts is where the tile-parts lie.
func (f *File) parts(ctx context.Context) (*codestream.Parts, error) {
	key := partsKey{f.config.Key, f.misplaced.Load()}
	found, err := f.shared.parts.FetchOne(ctx, key, func(ctx context.Context) (tileParts, error) {
		parts, err := f.findParts(newReader(ctx, f.src, f.where), key.walked)
		return tileParts{parts}, err
	})
	return found.Parts, err
}

func (f *File) findParts(r *reader, walked bool) (parts *codestream.Parts, err error) {
	if parts := f.keptParts(walked); parts != nil {
		return parts, nil
	}
	if walked {
		parts, err = f.header.ScanParts(r)
	} else {
		parts, err = f.header.FindParts(r)
	}
	if err != nil {
		return nil, fmt.Errorf("tile-parts: %w", err)
	}
	if damage := parts.Damage(); damage != nil {
		f.damage.tell("parts", "tile-parts: %v", damage)
		return parts, nil
	}
	f.keepParts(parts, walked)
	return parts, nil
}

// sortedNumbers are the different ones of numbers in their order.
func sortedNumbers(numbers []int) []int {
	slices.Sort(numbers)
	return slices.Compact(numbers)
}
