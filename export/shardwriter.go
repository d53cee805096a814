package export

import (
	"cmp"
	"encoding/json"
	"slices"
	"sync"

	"tileserver/archive"
	"tileserver/internal/hilbert"
	"tileserver/internal/unfinished"
)

// A shardWriter writes the file of a shard. Tiles come in any order, from several workers. The file
// has its name only when it is complete.
type shardWriter struct {
	shard shard
	path  string

	mu    sync.Mutex // guards the fields below
	file  *unfinished.File
	size  int64
	left  int64 // tiles that have yet to come
	index shardIndex
}

func createShardFile(s shard, path string) (*shardWriter, error) {
	file, err := unfinished.Create(path)
	if err != nil {
		return nil, err
	}
	return &shardWriter{shard: s, path: path, file: file, left: s.tiles()}, nil
}

// add adds a tile.
func (w *shardWriter) add(at archive.Position, content []byte) error {
	if err := (archive.Tile{Position: at, Content: content}).CheckContent(); err != nil {
		return err
	}
	sum := checksum(content)
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.file.Write(content); err != nil {
		return err
	}
	w.index.Tiles = append(w.index.Tiles, storedTile{at, w.size, len(content), sum})
	w.size += int64(len(content))
	return nil
}

// leaveOut notes a tile that is damaged.
func (w *shardWriter) leaveOut(at archive.Position, reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.index.Damaged = append(w.index.Damaged, DamagedTile{at, reason})
}

// finishBatch notes that a batch has ended. The last one completes the file.
func (w *shardWriter) finishBatch(tiles int) (isComplete bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left -= int64(tiles); w.left > 0 {
		return false, nil
	}
	return true, w.complete()
}

// complete writes the index and gives the file its name. The lock must be held.
func (w *shardWriter) complete() error {
	slices.SortFunc(w.index.Tiles, func(a, b storedTile) int { return w.shard.compare(a.Position, b.Position) })
	slices.SortFunc(w.index.Damaged, func(a, b DamagedTile) int { return w.shard.compare(a.Position, b.Position) })
	index, err := json.Marshal(&w.index)
	if err != nil {
		return err
	}
	if _, err := w.file.Write(appendTrailer(index, index)); err != nil {
		return err
	}
	return w.file.Finish(w.path)
}

// compare compares two tiles in the order of the output: by zoom, then along the curve.
func (s *levelGroup) compare(a, b archive.Position) int {
	if a.Zoom != b.Zoom {
		return cmp.Compare(a.Zoom, b.Zoom)
	}
	order := s.order + int(a.Zoom) - s.levels[0].Zoom
	return cmp.Compare(hilbert.Number(order, int(a.X), int(a.Y)), hilbert.Number(order, int(b.X), int(b.Y)))
}

// abandon removes the file of a shard that will not be completed.
func (w *shardWriter) abandon() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.file.Discard()
}
