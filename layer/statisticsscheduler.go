package layer

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/display/statistics"
	"tileserver/raster"
)

// surveys takes statistics, unless it finds them among those that were kept. Those that a
// layer's own styles need are apart from those that requests think of, by expressions and
// values of nodata, of which there is no end: they must not hold them up, nor drive out what
// is kept of them.
type statisticsScheduler struct {
	styles, requests statisticsQueue
	memory           *cache.Budget // that of pictures

	mu       sync.Mutex
	progress map[string]float64 // of the work that goes on for own ones, by the key of the provider
}

// lane is what surveys of one kind share.
type statisticsQueue struct {
	// gate is what taking statistics passes, apart from pictures: it takes long,
	// and those who wait for it must not hold up those who do not.
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
		requestStore = nil // they are taken anew after a restart
	}
	return &statisticsScheduler{
		styles:   statisticsQueue{NewGate(1, maxQueuedStatistics), state},
		requests: statisticsQueue{NewGate(1, maxQueuedStatistics), requestStore},

		memory:   memory,
		progress: make(map[string]float64),
	}
}

// surveyBytes is about what a survey takes: a sample that is kept from one pass to the next,
// a batch of blocks, and counts. Where pictures have less than that, it takes all they have.
const statisticsBytes = 96 << 20

// purpose is what statistics are for.
type statisticsTask struct {
	isOwnStyle bool   // a style of the layer
	identity   string // of the dataset, or "" if nothing is to be kept of it

	maxPixels int64 // that are looked at; 0 is the usual number
}

func (s *statisticsScheduler) queue(task statisticsTask) *statisticsQueue {
	if task.isOwnStyle {
		return &s.styles
	}
	return &s.requests
}

// take returns the statistics of bands of a provider: what is kept of them, and the others
// taken in one go.
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
		defer s.clearProgress(p.Key())
		s.setProgress(p.Key(), 0)
		all, err = statistics.Compute(ctx, p, bands, statistics.Options{
			MaxPixels: task.maxPixels, Progress: func(fraction float64) { s.setProgress(p.Key(), fraction) },
		})
		return err
	})
	return all, err
}

func (s *statisticsScheduler) setProgress(provider string, fraction float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress[provider] = fraction
}

func (s *statisticsScheduler) clearProgress(provider string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.progress, provider)
}

// of is how far the statistics are that are being taken of a dataset, in any guise.
func (s *statisticsScheduler) progressOf(dataset string) (fraction float64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for provider, fraction := range s.progress {
		if provider == dataset || strings.HasPrefix(provider, dataset+":") {
			return fraction, true
		}
	}
	return 0, false
}

// kept is what an earlier process found out, or another one beside this.
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
		return nil // of a version that wrote them otherwise
	}
	return loaded
}

// keep leaves statistics to processes to come. They can do without.
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

// lasting names the statistics of a band in the store.
func (k bandKey) storeKey(task statisticsTask) string {
	return fmt.Sprintf("statistics%d:%s:%s:band:%d:pixels:%d", statistics.Version, task.identity, k.provider, k.band, task.maxPixels)
}
