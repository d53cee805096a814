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
	part   *part
	to     archive.Writer
	report Report

	batch      []archive.Tile // that have yet to be put
	batchBytes int
	memory     []byte // of their contents
}

// A writer gets many tiles at a time, of at most so many bytes unless one alone is larger.
const (
	maxBatchTiles = 256
	maxBatchBytes = 4 << 20
)

// all puts the tiles of all shards, zoom by zoom. Within a zoom, the order of the shards is that of their
// tiles. One shard is open at a time.
func (j *joining) all(ctx context.Context) error {
	strata := j.Grid.strata()
	if err := j.count(strata); err != nil {
		return err
	}
	for _, s := range strata {
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
func (j *joining) count(strata []*stratum) error {
	for _, s := range strata {
		for shard := range s.shards {
			file, err := openShardFile(j.part.shardPath(shard))
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
	file, err := openShardFile(j.part.shardPath(s))
	if err != nil {
		return err
	}
	defer file.close()
	for i := range file.index.Tiles {
		t := &file.index.Tiles[i]
		if t.Zoom != zoom {
			continue
		}
		if len(j.batch) == maxBatchTiles || j.batchBytes+t.Size > maxBatchBytes {
			if err := j.put(ctx); err != nil {
				return err
			}
		}
		content, err := file.read(t, j.memory[min(j.batchBytes, maxBatchBytes):])
		if err != nil {
			return err
		}
		j.batch = append(j.batch, archive.Tile{Position: t.Position, Content: content})
		j.batchBytes += t.Size
	}
	return nil
}

// put puts the batch.
func (j *joining) put(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := j.to.Put(ctx, j.batch); err != nil {
		return err
	}
	j.report.Tiles += int64(len(j.batch))
	j.report.Bytes += int64(j.batchBytes)
	j.Progress.joined.Add(int64(len(j.batch)))
	j.batch, j.batchBytes = j.batch[:0], 0
	return nil
}

// noteJoined records that the output is complete.
func (p *part) noteJoined(r *Report) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return writeWhole(p.path(joinedName), text)
}

// report returns what noteJoined has recorded. Without that, the output is not of this export.
func (p *part) report() (r Report, err error) {
	text, err := os.ReadFile(p.path(joinedName))
	if errors.Is(err, fs.ErrNotExist) {
		return Report{}, fmt.Errorf("%s %w", p.out, ErrExists)
	}
	if err != nil {
		return Report{}, err
	}
	return r, json.Unmarshal(text, &r)
}
