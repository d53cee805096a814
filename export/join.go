package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"tileserver/archive"
)

// joining is the state of joining shards.
type joining struct {
	*Config
	folder *workFolder
	to     archive.Writer
	report Report

	pending      []archive.Tile // that have yet to be put
	pendingBytes int
	memory       []byte // of their contents
}

// A writer gets many tiles at a time, of at most so many bytes unless one alone is larger.
const (
	maxPutTiles = 256
	maxPutBytes = 4 << 20
)

// all puts the tiles of all shards, zoom by zoom. Within a zoom, the order of the shards is that of their
// tiles. One shard is open at a time.
func (j *joining) all(ctx context.Context) error {
	groups := j.Grid.levelGroups()
	if err := j.count(groups); err != nil {
		return err
	}
	for _, s := range groups {
		for i := range s.levels {
			for shard := range s.shards {
				if err := j.level(ctx, shard, uint8(s.levels[i].Zoom)); err != nil {
					return err
				}
			}
		}
	}
	return j.put(ctx)
}

// count counts the tiles, and collects those that were left out.
func (j *joining) count(groups []*levelGroup) error {
	for _, s := range groups {
		for shard := range s.shards {
			file, err := openShardFile(j.folder.shardPath(shard))
			if err != nil {
				return err
			}
			file.close()
			j.Progress.toJoin.Add(int64(len(file.index.Tiles)))
			j.report.Damaged = append(j.report.Damaged, file.index.Damaged...)
		}
	}
	return nil
}

// level puts the tiles of one zoom of a shard.
func (j *joining) level(ctx context.Context, s shard, zoom uint8) error {
	file, err := openShardFile(j.folder.shardPath(s))
	if err != nil {
		return err
	}
	defer file.close()
	for i := range file.index.Tiles {
		t := &file.index.Tiles[i]
		if t.Zoom != zoom {
			continue
		}
		if len(j.pending) == maxPutTiles || j.pendingBytes+t.Size > maxPutBytes {
			if err := j.put(ctx); err != nil {
				return err
			}
		}
		content, err := file.read(t, j.memory[min(j.pendingBytes, maxPutBytes):])
		if err != nil {
			return err
		}
		j.pending = append(j.pending, archive.Tile{Position: t.Position, Content: content})
		j.pendingBytes += t.Size
	}
	return nil
}

// put puts the pending tiles.
func (j *joining) put(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := j.to.Put(ctx, j.pending); err != nil {
		return err
	}
	j.report.Tiles += int64(len(j.pending))
	j.report.Bytes += int64(j.pendingBytes)
	j.Progress.joined.Add(int64(len(j.pending)))
	j.pending, j.pendingBytes = j.pending[:0], 0
	return nil
}

// noteJoined records that the output is complete.
func (f *workFolder) noteJoined(r *Report) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return writeWhole(f.in(joinedName), text)
}

// report returns what noteJoined has recorded. Without that, the output is not of this export.
func (f *workFolder) report() (r Report, err error) {
	text, err := os.ReadFile(f.in(joinedName))
	if errors.Is(err, fs.ErrNotExist) {
		return Report{}, fmt.Errorf("%s %w", f.out, ErrExists)
	}
	if err != nil {
		return Report{}, err
	}
	return r, json.Unmarshal(text, &r)
}
