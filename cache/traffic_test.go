package cache

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// traffic is what clients of a map server ask for. Sizes are the usual ones of recorded requests to files
// of JPEG, Deflate and JPEG 2000. Times are rounded, in proportions like the recorded ones.
type traffic struct {
	t        *testing.T
	cache    *Cache
	pictures *Space[pictureKey, weight]
	blocks   *Space[place, weight]

	isFree bool          // loads cost nothing, so that eviction is by use alone
	spent  time.Duration // for all loads
}

type place struct{ x, y int }

// pictureKey is a map tile, or a view that begins there.
type pictureKey struct {
	at     place
	isView bool
}

// The world has four times as many blocks as fit into the cache.
const (
	worldBlocks  = 32 // along a side
	tilesOfBlock = 2  // along a side
	worldTiles   = worldBlocks * tilesOfBlock

	blockBytes, blockTime = 768 << 10, 4 * time.Millisecond
	tileBytes, tileTime   = 20_000, 2 * time.Millisecond
	viewBytes, viewTime   = 2 << 20, 400 * time.Millisecond
	viewBlocks            = 6 // along a side

	trafficBytes = worldBlocks * worldBlocks * blockBytes / 4
)

func newTraffic(t *testing.T, isFree bool) *traffic {
	c := New(trafficBytes)
	return &traffic{t: t, isFree: isFree, cache: c, pictures: NewSpace[pictureKey, weight](c, "pictures"), blocks: NewSpace[place, weight](c, "blocks")}
}

func (r *traffic) work(duration time.Duration) {
	r.spent += duration
	if !r.isFree {
		time.Sleep(duration)
	}
}

// picture asks for a picture of blocks.
func (r *traffic) picture(key pictureKey, bytes weight, cost time.Duration, blocks []place) (isHit bool) {
	isHit = true
	_, err := r.pictures.FetchOne(r.t.Context(), key, func(ctx context.Context) (weight, error) {
		isHit = false
		_, err := r.blocks.Fetch(ctx, blocks, func(_ context.Context, missing []place) ([]weight, error) {
			values := make([]weight, len(missing))
			for i := range values {
				values[i] = blockBytes
				r.work(blockTime)
			}
			return values, nil
		})
		r.work(cost)
		return bytes, err
	})
	if err != nil {
		r.t.Error(err)
	}
	return isHit
}

// tile asks for a map tile, whose grid lies across that of the blocks.
func (r *traffic) tile(at place) (isHit bool) {
	var blocks []place
	for y := at.y / tilesOfBlock; y <= (at.y+1)/tilesOfBlock; y++ {
		for x := at.x / tilesOfBlock; x <= (at.x+1)/tilesOfBlock; x++ {
			blocks = append(blocks, place{x, y})
		}
	}
	return r.picture(pictureKey{at: at}, tileBytes, tileTime, blocks)
}

// view asks for a large picture anywhere.
func (r *traffic) view(random *rand.Rand) {
	corner := place{random.IntN(worldBlocks - viewBlocks), random.IntN(worldBlocks - viewBlocks)}
	var blocks []place
	for i := range viewBlocks * viewBlocks {
		blocks = append(blocks, place{corner.x + i%viewBlocks, corner.y + i/viewBlocks})
	}
	r.picture(pictureKey{corner, true}, viewBytes, viewTime, blocks)
}

// walker is a map viewer that moves around. It has seen some tiles, and does not ask for them again.
type walker struct {
	at   place
	seen map[place]bool
}

const viewportTiles = 5 // along a side

// step asks for what became visible, moves on, and returns the number of hits.
func (w *walker) step(r *traffic, random *rand.Rand) (hits int) {
	for i := range viewportTiles * viewportTiles {
		at := place{w.at.x + i%viewportTiles, w.at.y + i/viewportTiles}
		if !w.seen[at] {
			w.seen[at] = true
			if r.tile(at) {
				hits++
			}
		}
	}
	last := worldTiles - viewportTiles - 1
	w.at.x = min(max(w.at.x+random.IntN(5)-2, 0), last)
	w.at.y = min(max(w.at.y+random.IntN(5)-2, 0), last)
	return hits
}

// newWalker starts near one of a few places that are popular.
func newWalker(random *rand.Rand) *walker {
	at := place{random.IntN(4) * worldTiles / 5, random.IntN(4) * worldTiles / 5}
	return &walker{at, make(map[place]bool)}
}

// hot asks for tiles that many maps show, and returns the number of hits.
func (r *traffic) hot() (hits int) {
	for i := range hotTiles {
		if r.tile(place{10 + i%10, 30 + i/10}) {
			hits++
		}
	}
	return hits
}

const hotTiles = 50

// outcome counts hits of tiles.
type outcome struct {
	hits  int
	spent time.Duration
}

// compare runs the same traffic twice: in a cache that knows what loads cost, and in one for which
// they are free, and which is therefore the plain list of golang-lru.
func compare(t *testing.T, run func(r *traffic) (hits int)) (knowing, plain outcome) {
	results := make([]outcome, 2)
	for i, isFree := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := newTraffic(t, isFree)
			results[i].hits = run(r)
			results[i].spent = r.spent
			if used := r.cache.Stats().UsedBytes; used > trafficBytes {
				t.Errorf("%d bytes are used of %d", used, trafficBytes)
			}
		})
	}
	t.Logf("knowing costs: %+v, plain: %+v", results[0], results[1])
	return results[0], results[1]
}

func TestHotTilesStayWhileLargeViewsAreDrawn(t *testing.T) {
	const rounds, viewsPerRound = 40, 20
	knowing, plain := compare(t, func(r *traffic) (hits int) {
		random := rand.New(rand.NewPCG(1, 2))
		for round := range rounds {
			if found := r.hot(); round > 0 {
				hits += found
			}
			for range viewsPerRound {
				r.view(random)
			}
		}
		return hits
	})
	const asked = (rounds - 1) * hotTiles
	if knowing.hits < asked*95/100 {
		t.Errorf("%d of %d hits, want 95 %%", knowing.hits, asked)
	}
	if plain.hits > asked/2 {
		t.Errorf("a plain list has %d of %d hits, so the test proves nothing", plain.hits, asked)
	}
	if knowing.spent > plain.spent {
		t.Errorf("loads took %v, and %v with a plain list", knowing.spent, plain.spent)
	}
}

func TestWalksHitMoreThanInAPlainList(t *testing.T) {
	tests := map[string]func(r *traffic, random *rand.Rand, step int){
		"alone":            func(*traffic, *rand.Rand, int) {},
		"beside views":     func(r *traffic, random *rand.Rand, _ int) { r.view(random) },
		"beside one scan":  func(r *traffic, _ *rand.Rand, step int) { r.scan(4*step, 4) },
		"beside all scans": func(r *traffic, _ *rand.Rand, step int) { r.scan(40*step, 40) },
	}
	for name, beside := range tests {
		t.Run(name, func(t *testing.T) {
			knowing, plain := compare(t, func(r *traffic) (hits int) {
				random := rand.New(rand.NewPCG(3, 4))
				var walkers [6]*walker
				for step := range 500 {
					for i := range walkers {
						if step%100 == 15*i {
							walkers[i] = newWalker(random)
						}
						if walkers[i] != nil {
							hits += walkers[i].step(r, random)
						}
					}
					beside(r, rand.New(rand.NewPCG(5, uint64(step))), step)
				}
				return hits
			})
			if knowing.hits < plain.hits || knowing.spent > plain.spent {
				t.Errorf("%+v, and a plain list %+v", knowing, plain)
			}
		})
	}
}

// scan asks for tiles of the whole world, row by row.
func (r *traffic) scan(first, count int) {
	for i := first; i < first+count; i++ {
		r.tile(place{i % (worldTiles - 1), i / (worldTiles - 1) % (worldTiles - 1)})
	}
}
