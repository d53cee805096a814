package export

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"tileserver/archive"
)

// work is the rendering of all shards that are not finished.
type work struct {
	*Config
	folder *workFolder

	mu   sync.Mutex // guards the fields below
	next func() (task, error, bool)
	open map[*shardWriter]bool
}

// A task is a batch of tiles and where they go.
type task struct {
	batch  []archive.Position
	writer *shardWriter
}

// renderShards renders all shards that are not finished. All workers take batches from one sequence, so
// they work near each other and decode few blocks twice. When one shard has no batches left, workers go on
// with the next, and the last to finish a batch of the first completes its file.
func (c *Config) renderShards(ctx context.Context, f *workFolder) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &work{Config: c, folder: f, open: make(map[*shardWriter]bool)}
	next, stop := iter.Pull2(w.tasks)
	defer stop()
	w.next = next
	c.Progress.total.Store(c.Grid.Tiles())
	var workers sync.WaitGroup
	for range c.Workers {
		workers.Go(func() {
			if err := w.work(ctx); err != nil {
				cancel(err)
			}
		})
	}
	workers.Wait()
	err := context.Cause(ctx)
	for writer := range w.open {
		err = errors.Join(err, writer.abandon())
	}
	return err
}

// tasks yields the batches of all shards that are not finished.
func (w *work) tasks(yield func(task, error) bool) {
	for _, s := range w.Grid.levelGroups() {
		for shard := range s.shards {
			if w.folder.isFinished(shard) {
				w.Progress.kept.Add(shard.tiles())
				continue
			}
			writer, err := createShardFile(shard, w.folder.shardPath(shard))
			if err != nil {
				yield(task{}, err)
				return
			}
			w.open[writer] = true // the caller of next holds the lock
			for batch := range shard.batches {
				if !yield(task{batch, writer}, nil) {
					return
				}
			}
		}
	}
}

// take returns the next task; ok is false if there is none.
func (w *work) take() (t task, ok bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t, err, ok = w.next()
	return t, ok, err
}

// work renders batches until none are left.
func (w *work) work(ctx context.Context) error {
	for {
		t, ok, err := w.take()
		if err != nil || !ok {
			return err
		}
		for _, at := range t.batch {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := w.make(ctx, t.writer, at); err != nil {
				return err
			}
			w.Progress.made.Add(1)
		}
		if err := w.finish(t); err != nil {
			return err
		}
	}
}

// make renders a tile and adds it to its shard.
func (w *work) make(ctx context.Context, to *shardWriter, at archive.Position) error {
	content, err := w.Render(ctx, at)
	damaged := (*DamagedError)(nil)
	switch {
	case w.SkipDamaged && errors.As(err, &damaged):
		to.leaveOut(at, damaged.Error())
		return nil
	case err != nil:
		return fmt.Errorf("tile %v: %w", at, err)
	case content == nil:
		return nil
	}
	w.Progress.bytes.Add(int64(len(content)))
	return to.add(at, content)
}

// finish notes that a task is done.
func (w *work) finish(t task) error {
	isComplete, err := t.writer.finishBatch(len(t.batch))
	if err != nil || !isComplete {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, t.writer)
	return nil
}
