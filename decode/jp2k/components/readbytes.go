package components

import (
	"cmp"
	"context"
	"slices"

	"tileserver/cache"
	"tileserver/decode/jp2k/packets"
)

// readRange is a range of a codestream that was read.
type readRange struct {
	offset int64
	bytes  []byte
}

// readBytes is what was read of a codestream, sorted by offset.
type readBytes []readRange

func (b readBytes) sort() {
	slices.SortFunc(b, func(x, y readRange) int { return cmp.Compare(x.offset, y.offset) })
}

// from returns the bytes from an offset on, if they are as many as asked for.
func (b readBytes) from(offset, length int64) []byte {
	next, _ := slices.BinarySearchFunc(b, offset, func(r readRange, offset int64) int {
		if r.offset <= offset {
			return -1
		}
		return 1
	})
	if next == 0 {
		return nil
	}
	r := b[next-1]
	if at := offset - r.offset; at < int64(len(r.bytes)) && length <= int64(len(r.bytes))-at {
		return r.bytes[at:]
	}
	return nil
}

// Size returns the memory of b.
func (b readBytes) Size() int64 {
	const rangeBytes = 32
	bytes := rangeBytes * int64(cap(b))
	for _, r := range b {
		bytes += int64(cap(r.bytes))
	}
	return bytes
}

// bytesRead holds bytes of far files that were read with indexes, so that code-blocks in them need no other call.
type bytesRead struct {
	tiles     *cache.Space[tileKey, readBytes]
	precincts *cache.Space[precinctKey, readBytes]
}

func newBytesRead(c *cache.Cache) bytesRead {
	return bytesRead{
		tiles:     cache.NewSpace[tileKey, readBytes](c, "bytes of tiles"),
		precincts: cache.NewSpace[precinctKey, readBytes](c, "bytes of precincts"),
	}
}

// keep keeps what was read with each of some keys, if anything was.
func keep[K comparable](ctx context.Context, in *cache.Space[K, readBytes], keys []K, read []readBytes) error {
	var with []K
	var values []readBytes
	for i, bytes := range read {
		if len(bytes) > 0 {
			with, values = append(with, keys[i]), append(values, bytes)
		}
	}
	_, err := in.Fetch(ctx, with, func(_ context.Context, missing []K) ([]readBytes, error) {
		found, next := make([]readBytes, len(missing)), 0
		for i, key := range with { // in the same order
			if next < len(missing) && missing[next] == key {
				found[next], next = values[i], next+1
			}
		}
		return found, nil
	})
	return err
}

// known returns the bytes of a code-block if all were read with an index.
func (r *Request) known(key *blockKey, chunks []packets.Range) [][]byte {
	if !r.stream.isFar || len(chunks) == 0 {
		return nil
	}
	var read readBytes
	if t := r.tiles[int(key.tile)]; t.index != nil {
		read, _ = r.stream.shared.read.tiles.Get(tileKey{r.stream.config.Key, t.Number})
	} else {
		read, _ = r.stream.shared.read.precincts.Get(r.precinctOf(t, key))
	}
	data := make([][]byte, len(chunks))
	for i, c := range chunks {
		bytes := read.from(c.Offset, c.Length)
		if bytes == nil {
			return nil
		}
		data[i] = bytes[:c.Length:c.Length]
	}
	return data
}
