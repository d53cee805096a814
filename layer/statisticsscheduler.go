package layer

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"slices"
	"sync"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/display/statistics"
	"tileserver/raster"
)

// A statisticsScheduler computes statistics and stores them on disk. It has two queues. One is for
// the styles of layers. The other is for expressions and nodata values of requests: these are
// unbounded in number, and must neither delay nor evict the statistics of the layers' own styles.
type statisticsScheduler struct {
	styles, requests statisticsQueue
	memory           *cache.Budget // the budget of pictures

	mu       sync.Mutex         // guards progress
	progress map[string]float64 // fraction done for own styles, by dataset key
}

// A statisticsQueue has a gate and a store of its own.
type statisticsQueue struct {
	// gate bounds concurrent computations. It is not the gate of pictures, since computing
	// statistics takes long and would delay pictures that need none.
	gate  *Gate
	store *disk.Store
}

const (
	maxQueuedStatistics  = 64
	maxRequestStoreBytes = 32 << 20
)

func newStatisticsScheduler(state *disk.Store, memory *cache.Budget) *statisticsScheduler {
	requestStore, err := state.Sub("asked", maxRequestStoreBytes)
	if err != nil {
		requestStore = nil // statistics are then computed again after a restart
	}
	return &statisticsScheduler{
		styles:   statisticsQueue{NewGate(1, maxQueuedStatistics), state},
		requests: statisticsQueue{NewGate(1, maxQueuedStatistics), requestStore},

		memory:   memory,
		progress: make(map[string]float64),
	}
}

// statisticsBytes is the approximate memory of one computation: the sample kept between passes, a
// batch of blocks, and counters. If the picture budget is smaller, all of it is reserved.
const statisticsBytes = 96 << 20

// A statisticsTask describes what statistics are computed for.
type statisticsTask struct {
	isOwnStyle bool   // for a style of the layer, not of a request
	dataset    string // the dataset's key
	identity   string // Dataset.Identity; "" disables the store

	maxPixels int64 // maximum number of pixels to sample; 0 is the default
}

func (s *statisticsScheduler) queue(task statisticsTask) *statisticsQueue {
	if task.isOwnStyle {
		return &s.styles
	}
	return &s.requests
}

// fetch returns statistics of bands of a provider. It loads what is stored and computes the missing
// bands together.
func (s *statisticsScheduler) fetch(ctx context.Context, p raster.Provider, keys []bandKey, task statisticsTask) ([]*bandStatistics, error) {
	found := make([]*bandStatistics, len(keys))
	var missing []int
	for i, key := range keys {
		if found[i] = s.load(key, task); found[i] == nil {
			missing = append(missing, key.band)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	slices.Sort(missing)
	all, err := s.compute(ctx, p, missing, task)
	if err != nil {
		return nil, fmt.Errorf("statistics of bands %v: %w", missing, err)
	}
	for i, key := range keys {
		if found[i] == nil {
			found[i] = &bandStatistics{*all.Band(key.band)}
			s.store(key, found[i], task)
		}
	}
	return found, nil
}

func (s *statisticsScheduler) compute(ctx context.Context, p raster.Provider, bands []int, task statisticsTask) (all *statistics.Dataset, err error) {
	err = s.queue(task).gate.run(ctx, func() (err error) {
		bytes := min(statisticsBytes, s.memory.Max())
		if err := s.memory.Acquire(ctx, bytes); err != nil {
			return err
		}
		defer s.memory.Release(bytes)
		if !task.isOwnStyle {
			all, err = statistics.Compute(ctx, p, bands, statistics.Options{MaxPixels: task.maxPixels})
			return err
		}
		defer s.clearProgress(task.dataset)
		s.setProgress(task.dataset, 0)
		all, err = statistics.Compute(ctx, p, bands, statistics.Options{
			MaxPixels: task.maxPixels, Progress: func(fraction float64) { s.setProgress(task.dataset, fraction) },
		})
		return err
	})
	return all, err
}

func (s *statisticsScheduler) setProgress(dataset string, fraction float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress[dataset] = fraction
}

func (s *statisticsScheduler) clearProgress(dataset string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.progress, dataset)
}

// progressOf returns the fraction done of running statistics of a dataset, for any provider built
// on it. ok is false if none are running.
func (s *statisticsScheduler) progressOf(dataset string) (fraction float64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fraction, ok = s.progress[dataset]
	return fraction, ok
}

// load returns statistics stored by an earlier process or a concurrent one, or nil.
func (s *statisticsScheduler) load(key bandKey, task statisticsTask) *bandStatistics {
	if task.identity == "" {
		return nil
	}
	value, ok := s.queue(task).store.Get(key.storeKey(task))
	if !ok {
		return nil
	}
	loaded := new(bandStatistics)
	if err := gob.NewDecoder(bytes.NewReader(value)).Decode(&loaded.Band); err != nil {
		return nil // written by another version
	}
	return loaded
}

// store stores statistics for later processes. Errors are ignored: they only cost time.
func (s *statisticsScheduler) store(key bandKey, found *bandStatistics, task statisticsTask) {
	store := s.queue(task).store
	if store == nil || task.identity == "" {
		return
	}
	var value bytes.Buffer
	if err := gob.NewEncoder(&value).Encode(&found.Band); err == nil {
		_ = store.Put(key.storeKey(task), value.Bytes()) // a full disk only costs time
	}
}

// storeKey returns the key of a band's statistics on disk.
func (k bandKey) storeKey(task statisticsTask) string {
	return fmt.Sprintf("statistics%d:%s:%s:band:%d:pixels:%d", statistics.Version, task.identity, k.provider, k.band, task.maxPixels)
}
