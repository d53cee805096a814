package analysis

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"slices"
	"sync"

	"tileserver/admission"
	"tileserver/cache/disk"
	"tileserver/display/statistics"
	"tileserver/raster"
)

// A scheduler computes statistics and stores them on disk. Expressions and nodata values of requests
// are unbounded in number. Their statistics must neither delay nor evict those of the layers' own
// styles, so they have another purpose at the gate, and a store of their own.
type scheduler struct {
	gate             *admission.Gate
	styles, requests *disk.Store

	mu       sync.Mutex         // guards progress
	progress map[string]float64 // fraction done for own styles, by dataset key
}

const maxRequestStoreBytes = 32 << 20

func newScheduler(config Config) *scheduler {
	requestStore, err := config.State.Sub("asked", maxRequestStoreBytes)
	if err != nil {
		requestStore = nil // statistics are then computed again after a restart
	}
	return &scheduler{
		gate:     config.Gate,
		styles:   config.State,
		requests: requestStore,
		progress: make(map[string]float64),
	}
}

// statisticsBytes is the approximate memory of one computation: the sample kept between passes, a
// batch of blocks, and counters. If the budget is smaller, all of it is reserved.
const statisticsBytes = 96 << 20

// A Task describes what statistics are computed for.
type Task struct {
	IsOwnStyle bool             // for a style of the layer, not of a request
	Dataset    string           // the dataset's key
	Source     admission.Source // of the dataset
	Identity   string           // identifies the dataset's content on this machine; "" disables the store

	MaxPixels int64 // maximum number of pixels to sample; 0 is the default
}

func (s *scheduler) storeOf(task Task) *disk.Store {
	if task.IsOwnStyle {
		return s.styles
	}
	return s.requests
}

// work describes the computation of a task to the gate.
func (s *scheduler) work(task Task) admission.Work {
	w := admission.Work{
		Purpose: admission.RequestStatistics, Group: task.Dataset, Bytes: statisticsBytes,
		Sources: []admission.Source{task.Source},
	}
	if task.IsOwnStyle {
		w.Purpose = admission.StyleStatistics
	}
	if most := s.gate.MaxBytes(); most > 0 {
		w.Bytes = min(w.Bytes, most)
	}
	return w
}

// fetch returns statistics of bands of a provider. It loads what is stored and computes the missing
// bands together.
func (s *scheduler) fetch(ctx context.Context, p raster.Provider, keys []bandKey, task Task) ([]*bandStatistics, error) {
	found := make([]*bandStatistics, len(keys))
	var missing []int
	for i, key := range keys {
		if found[i] = s.load(ctx, key, task); found[i] == nil {
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
			s.store(ctx, key, found[i], task)
		}
	}
	return found, nil
}

func (s *scheduler) compute(ctx context.Context, p raster.Provider, bands []int, task Task) (*statistics.Dataset, error) {
	ctx, leave, err := s.gate.Enter(ctx, s.work(task))
	if err != nil {
		return nil, err
	}
	defer leave()
	options := statistics.Options{MaxPixels: task.MaxPixels}
	if task.IsOwnStyle {
		defer s.clearProgress(task.Dataset)
		s.setProgress(task.Dataset, 0)
		options.Progress = func(fraction float64) { s.setProgress(task.Dataset, fraction) }
	}
	return statistics.Compute(ctx, p, bands, options)
}

func (s *scheduler) setProgress(dataset string, fraction float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress[dataset] = fraction
}

func (s *scheduler) clearProgress(dataset string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.progress, dataset)
}

// progressOf returns the fraction done of running statistics of a dataset, for any provider built
// on it. ok is false if none are running.
func (s *scheduler) progressOf(dataset string) (fraction float64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fraction, ok = s.progress[dataset]
	return fraction, ok
}

// load returns statistics stored by an earlier process or a concurrent one, or nil.
func (s *scheduler) load(ctx context.Context, key bandKey, task Task) *bandStatistics {
	if task.Identity == "" {
		return nil
	}
	value, ok := s.storeOf(task).Get(ctx, key.storeKey(task))
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
func (s *scheduler) store(ctx context.Context, key bandKey, found *bandStatistics, task Task) {
	store := s.storeOf(task)
	if store == nil || task.Identity == "" {
		return
	}
	var value bytes.Buffer
	if err := gob.NewEncoder(&value).Encode(&found.Band); err == nil {
		_ = store.Put(ctx, key.storeKey(task), value.Bytes()) // a full disk only costs time
	}
}

// storeKey returns the key of a band's statistics on disk.
func (k bandKey) storeKey(task Task) string {
	return fmt.Sprintf("statistics%d:%s:%s:band:%d:pixels:%d", statistics.Version, task.Identity, k.provider, k.band, task.MaxPixels)
}
