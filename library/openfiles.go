package library

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"tileserver/layer"
	"tileserver/source"
)

const (
	// maxParallelOpens is how many files of a storage are opened at a time. Opening mostly waits for the
	// disk or the network; the processor is left to rendering.
	maxParallelOpens = 4

	// publishInterval is how often new layers are published while more files are being opened.
	// Publishing after each file would cost more the more layers exist.
	publishInterval = 250 * time.Millisecond

	// maxOpensPerInterval exceeds what can be opened in one interval.
	maxOpensPerInterval = 4096
)

// openResult is the outcome of opening a file.
type openResult struct {
	layer *layer.Layer // nil after an error
	state source.State // before it was opened
	err   error
	stack string // of a panic; apart from err, so that equal failures compare equal
}

func (l *Library) logSkipped(w desiredLayer, result openResult) {
	logger := l.Logger
	if result.stack != "" {
		logger = logger.With("stack", result.stack)
	}
	logger.Warn("skipped file", "path", w.image, "err", w.fileError(result.err).Reason())
}

// openAll opens the files of a list, those of each storage apart.
func (l *Library) openAll(ctx context.Context, list []desiredLayer, shared Shared) []openResult {
	results, places := make([]openResult, len(list)), make(map[string][]int)
	for i, w := range list {
		storage := l.Files.Storage(w.image.Path)
		places[storage] = append(places[storage], i)
	}
	var working sync.WaitGroup
	for _, own := range places {
		working.Go(func() {
			part := make([]desiredLayer, len(own))
			for i, place := range own {
				part[i] = list[place]
			}
			for i, result := range l.openFiles(ctx, part, shared, time.Time{}) {
				results[own[i]] = result
			}
		})
	}
	working.Wait()
	return results
}

// openFiles opens the files of a list, which lie on one storage, until all are open or a deadline
// passes; the zero deadline is none. It returns the results of the files it reached, which are the
// first ones.
func (l *Library) openFiles(ctx context.Context, list []desiredLayer, shared Shared, deadline time.Time) []openResult {
	results := make([]openResult, len(list))
	next := 0
	var mu sync.Mutex // guards next
	take := func() (index int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(list) || ctx.Err() != nil || !deadline.IsZero() && next > 0 && !time.Now().Before(deadline) {
			return 0, false
		}
		next++
		return next - 1, true
	}
	var working sync.WaitGroup
	for range maxParallelOpens {
		working.Go(func() {
			for index, ok := take(); ok; index, ok = take() {
				results[index] = l.open(ctx, list[index], shared)
			}
		})
	}
	working.Wait()
	return results[:next]
}

// open opens a file. It recovers from a panic, so that one bad file cannot end the server.
func (l *Library) open(ctx context.Context, w desiredLayer, shared Shared) (result openResult) {
	defer func() {
		if panicked := recover(); panicked != nil {
			result.err, result.stack = fmt.Errorf("panic while opening %v: %v", w.image, panicked), string(debug.Stack())
		}
		if result.err != nil {
			l.discard([]openResult{result})
			result.layer = nil
		}
	}()
	var err error
	if result.state, err = l.Files.Stat(ctx, w.image.Path); errors.Is(err, source.ErrStalled) {
		result.err = err // opening would take as long again
		return result
	}
	if result.err = w.checkTerrain(); result.err != nil {
		return result
	}
	if result.layer, result.err = l.Catalog.Open(ctx, l.configOf(w, shared)); result.err == nil {
		result.err = l.check(w, result.layer)
	}
	return result
}

// discard closes the files of layers that will not be served.
func (l *Library) discard(results []openResult) {
	for _, result := range results {
		if result.layer == nil {
			continue
		}
		if err := l.Catalog.Discard(result.layer); err != nil {
			l.Logger.Warn("cannot close file", "layer", result.layer.ID(), "err", err)
		}
	}
}

// layerChanges lists the layers added and removed since it was last logged.
type layerChanges struct{ added, removed []desiredLayer }

// maxLoggedChanges is how many layers get a log line each when they are added or removed together.
const maxLoggedChanges = 20

func (c *layerChanges) log(logger *slog.Logger) {
	for _, change := range []struct {
		happened string
		layers   []desiredLayer
	}{{"layer added", c.added}, {"layer removed", c.removed}} {
		if len(change.layers) > maxLoggedChanges {
			logger.Info(change.happened, "count", len(change.layers), "first", change.layers[0].id)
			continue
		}
		for _, w := range change.layers {
			logger.Info(change.happened, "layer", w.id, "path", w.image)
		}
	}
}
