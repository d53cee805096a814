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
type surveys struct {
	own, asked lane
	memory     *cache.Budget // that of pictures

	mu    sync.Mutex
	parts map[string]float64 // of the work that goes on for own ones, by the key of the provider
}

// lane is what surveys of one kind share.
type lane struct {
	// gate is what taking statistics passes, apart from pictures: it takes long,
	// and those who wait for it must not hold up those who do not.
	gate  *Gate
	state *disk.Store
}

const (
	queuedSurveys      = 64
	maxAskedStateBytes = 32 << 20
)

func newSurveys(state *disk.Store, memory *cache.Budget) *surveys {
	within, err := state.Sub("asked", maxAskedStateBytes)
	if err != nil {
		within = nil // they are taken anew after a restart
	}
	return &surveys{
		own:   lane{NewGate(1, queuedSurveys), state},
		asked: lane{NewGate(1, queuedSurveys), within},

		memory: memory,
		parts:  make(map[string]float64),
	}
}

// surveyBytes is about what a survey takes: a sample that is kept from one pass to the next,
// a batch of blocks, and counts. Where pictures have less than that, it takes all they have.
const surveyBytes = 96 << 20

// purpose is what statistics are for.
type purpose struct {
	own      bool   // a style of the layer
	identity string // of the dataset, or "" if nothing is to be kept of it

	maxPixels int64 // that are looked at; 0 is the usual number
}

func (s *surveys) lane(of purpose) *lane {
	if of.own {
		return &s.own
	}
	return &s.asked
}

// take returns the statistics of bands of a provider: what is kept of them, and the others
// taken in one go.
func (s *surveys) take(ctx context.Context, p raster.Provider, keys []bandKey, of purpose) ([]*bandStatistics, error) {
	taken := make([]*bandStatistics, len(keys))
	var missing []int
	for i, key := range keys {
		if taken[i] = s.kept(key, of); taken[i] == nil {
			missing = append(missing, key.band)
		}
	}
	if len(missing) == 0 {
		return taken, nil
	}
	slices.Sort(missing)
	all, err := s.survey(ctx, p, missing, of)
	if err != nil {
		return nil, fmt.Errorf("statistics of bands %v: %w", missing, err)
	}
	for i, key := range keys {
		if taken[i] == nil {
			taken[i] = &bandStatistics{*all.Band(key.band)}
			s.keep(key, taken[i], of)
		}
	}
	return taken, nil
}

func (s *surveys) survey(ctx context.Context, p raster.Provider, bands []int, of purpose) (all *statistics.Dataset, err error) {
	err = s.lane(of).gate.within(ctx, func() (err error) {
		bytes := min(surveyBytes, s.memory.Max())
		if err := s.memory.Acquire(ctx, bytes); err != nil {
			return err
		}
		defer s.memory.Release(bytes)
		if !of.own {
			all, err = statistics.Compute(ctx, p, bands, statistics.Options{MaxPixels: of.maxPixels})
			return err
		}
		defer s.end(p.Key())
		s.progress(p.Key(), 0)
		all, err = statistics.Compute(ctx, p, bands, statistics.Options{
			MaxPixels: of.maxPixels, Progress: func(part float64) { s.progress(p.Key(), part) },
		})
		return err
	})
	return all, err
}

func (s *surveys) progress(provider string, part float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts[provider] = part
}

func (s *surveys) end(provider string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.parts, provider)
}

// of is how far the statistics are that are being taken of a dataset, in any guise.
func (s *surveys) of(dataset string) (part float64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for provider, part := range s.parts {
		if provider == dataset || strings.HasPrefix(provider, dataset+":") {
			return part, true
		}
	}
	return 0, false
}

// kept is what an earlier process found out, or another one beside this.
func (s *surveys) kept(key bandKey, of purpose) *bandStatistics {
	if of.identity == "" {
		return nil
	}
	value, ok := s.lane(of).state.Get(key.lasting(of))
	if !ok {
		return nil
	}
	known := new(bandStatistics)
	if err := gob.NewDecoder(bytes.NewReader(value)).Decode(&known.Band); err != nil {
		return nil // of a version that wrote them otherwise
	}
	return known
}

// keep leaves statistics to processes to come. They can do without.
func (s *surveys) keep(key bandKey, known *bandStatistics, of purpose) {
	state := s.lane(of).state
	if state == nil || of.identity == "" {
		return
	}
	var value bytes.Buffer
	if err := gob.NewEncoder(&value).Encode(&known.Band); err == nil {
		_ = state.Put(key.lasting(of), value.Bytes()) // a full disk only costs time
	}
}

// lasting names the statistics of a band in the store.
func (k bandKey) lasting(of purpose) string {
	return fmt.Sprintf("statistics%d:%s:%s:band:%d:pixels:%d", statistics.Version, of.identity, k.provider, k.band, of.maxPixels)
}
