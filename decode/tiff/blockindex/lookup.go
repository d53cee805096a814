package blockindex

import "context"

// Lookup holds the chunks of block indexes that a request has loaded. A request looks up all units
// that it needs, loads the missing chunks in one call, and looks up all units again. The zero value
// is ready. It is not safe for concurrent use.
type Lookup struct {
	recent  [4]recentChunk // offsets and sizes, of a directory and of its mask
	oldest  int            // index in recent
	loaded  map[chunkKey]chunk
	missing []missingChunk // may contain duplicates
}

// recentChunk caches the result of the last lookups: neighboring units usually lie in the same
// chunk.
type recentChunk struct {
	array  *array
	number int64
	chunk  chunk
	known  bool
}

type missingChunk struct {
	reader *Reader
	key    chunkKey
}

// value returns the i-th value of an array, if its chunk is loaded.
func (l *Lookup) value(x *Index, a *array, i int64) (value uint64, known bool) {
	if a.value != nil {
		return a.at(a.value, int(i)), true
	}
	number, within := a.chunkOf(i)
	c, known := l.chunk(x, a, number)
	if c == nil {
		return 0, known
	}
	return a.at(c, within), true
}

// chunk returns a chunk of an array, if it is loaded. It is nil for a chunk of zeros.
func (l *Lookup) chunk(x *Index, a *array, number int64) (c chunk, known bool) {
	for i := range l.recent {
		if r := &l.recent[i]; r.array == a && r.number == number {
			return r.chunk, r.known
		}
	}
	if c, known = l.find(x, a, number); known {
		a.zeros.record(a, number, c == nil)
	}
	l.recent[l.oldest] = recentChunk{a, number, c, known}
	l.oldest = (l.oldest + 1) % len(l.recent)
	return c, known
}

func (l *Lookup) find(x *Index, a *array, number int64) (c chunk, known bool) {
	if a.zeros.kind(number) == onlyZeros {
		return nil, true
	}
	key := x.chunks.key(a.chunkRange(number))
	if c, known = l.loaded[key]; known {
		return c, true
	}
	if c, known = x.chunks.cached(key); !known {
		l.missing = append(l.missing, missingChunk{x.chunks, key})
	}
	return c, known
}

// Missing returns how many chunks were not loaded when they were needed. It may count one twice.
func (l *Lookup) Missing() int { return len(l.missing) }

// Load loads the first maxChunks of the missing chunks and discards the list. A chunk that is still
// needed becomes missing again in the next lookup.
func (l *Lookup) Load(ctx context.Context, maxChunks int) error {
	missing := l.missing[:min(len(l.missing), maxChunks)]
	l.missing, l.recent = nil, [len(l.recent)]recentChunk{}
	if l.loaded == nil {
		l.loaded = make(map[chunkKey]chunk)
	}
	for len(missing) > 0 {
		from := missing[0].reader // load those of one file in one call; a mask may lie in another
		var keys []chunkKey
		var others []missingChunk
		for _, m := range missing {
			if m.reader == from {
				keys = append(keys, m.key)
			} else {
				others = append(others, m)
			}
		}
		got, err := from.load(ctx, keys)
		if err != nil {
			return err
		}
		for i, key := range keys {
			l.loaded[key] = got[i]
		}
		missing = others
	}
	return nil
}
