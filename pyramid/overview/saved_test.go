package overview

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// savedBlocks keeps saved blocks in memory.
type savedBlocks struct {
	mu           sync.Mutex
	values       map[string][]byte
	gets, puts   int
	isUnreadable bool
}

func newSaved() *savedBlocks { return &savedBlocks{values: make(map[string][]byte)} }

func (s *savedBlocks) Contains(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.values[key]
	return ok
}

func (s *savedBlocks) Get(_ context.Context, key string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gets++
	value, ok := s.values[key]
	if s.isUnreadable {
		return nil, false
	}
	if string(value) == "lost" {
		delete(s.values, key) // as a folder does with a damaged file
		return nil, false
	}
	return value, ok
}

func (s *savedBlocks) Put(_ context.Context, key string, value []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = value
	s.puts++
}

func (s *savedBlocks) Remove(_ context.Context, key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, key)
}

// After a restart, nothing of the file is read for the overviews that a build has saved, and the
// pixels are the same. Nothing is saved twice.
func TestARestartBuildsNothingAgain(t *testing.T) {
	for shapeName, shape := range storedShapes() {
		for kindName, kind := range storedKinds() {
			if kindName != "floats with holes of their own" && kindName != "colours with alpha" && shapeName != "small tiles" {
				continue
			}
			t.Run(shapeName+"/"+kindName, func(t *testing.T) {
				saved := newSaved()
				before := sweeping(storedAs(shape, kind), saved)
				built(t, before, before.native, raster.BlockID{}, nil)
				if saved.puts != len(saved.values) || saved.puts == 0 {
					t.Errorf("%d blocks were saved %d times", len(saved.values), saved.puts)
				}
				source := newCounted(storedAs(shape, kind))
				after := sweeping(source, saved)
				for level := after.native; level < len(after.info.Levels); level++ {
					ids := allBlocks(after.info.Levels[level])
					want, err := before.Blocks(t.Context(), level, ids, nil)
					if err != nil {
						t.Fatal(err)
					}
					got, err := after.Blocks(t.Context(), level, ids, nil)
					if err != nil {
						t.Fatal(err)
					}
					for i := range got {
						if !got[i].SamePixels(want[i]) {
							t.Fatalf("block %v of level %d differs", ids[i], level)
						}
					}
				}
				if len(source.times) != 0 {
					t.Errorf("%d blocks of the file were read", len(source.times))
				}
			})
		}
	}
}

// A build that was killed continues after a restart.
func TestBuildsContinueAfterARestart(t *testing.T) {
	for killedAt := range 6 {
		saved := newSaved()
		newSource := func() *counted {
			return newCounted(storedAs(storedShapes()["small tiles"], storedKinds()["bytes with a mask"]))
		}
		first := sweeping(newSource(), saved)
		work := wantTooExpensive(t, first, len(first.info.Levels)-1, raster.BlockID{}, nil)
		killed := errors.New("killed")
		var pieces atomic.Int64
		err := recoverPanic(func() error {
			return first.Build(t.Context(), work, func(float64) {
				if pieces.Add(1) > int64(3*killedAt) {
					panic(killed)
				}
			})
		})
		if err == nil {
			t.Fatal("the build was not killed")
		}
		reached := slices.Collect(maps.Keys(saved.values))
		source := newSource()
		next := sweeping(source, saved)
		whole := defined(t, sweeping(newSource(), nil))
		top := len(next.info.Levels) - 1
		wantDefined(t, next, whole, top, raster.BlockID{}, built(t, next, top, raster.BlockID{}, nil))
		if saved.puts != len(saved.values) {
			t.Errorf("after %d blocks were saved, %d of %d were saved again", len(reached), saved.puts-len(saved.values), len(saved.values))
		}
		if all := next.shape.stored.Columns() * next.shape.stored.Rows(); killedAt > 3 && len(source.times) == all {
			t.Errorf("with %d blocks saved, all %d blocks were read again", len(reached), all)
		}
	}
}

// Blocks that were saved and are lost are built again, within a request only if that is cheap.
func TestLostBlocksAreBuiltAgain(t *testing.T) {
	for name, lose := range map[string]func(s *savedBlocks, key string){
		"gone":    func(s *savedBlocks, key string) { delete(s.values, key) },
		"damaged": func(s *savedBlocks, key string) { s.values[key] = []byte("lost") },
		"short":   func(s *savedBlocks, key string) { s.values[key] = s.values[key][:len(s.values[key])-1] },
		"long":    func(s *savedBlocks, key string) { s.values[key] = append(s.values[key], 0) },
		"empty":   func(s *savedBlocks, key string) { s.values[key] = nil },
		"another": func(s *savedBlocks, key string) { s.values[key] = []byte{9, 1, 2, 3} },
	} {
		t.Run(name, func(t *testing.T) {
			saved := newSaved()
			newSource := func() *counted { return newCounted(storedAs(storedShapes()["small tiles"], storedKinds()["bytes"])) }
			first := sweeping(newSource(), saved)
			top := len(first.info.Levels) - 1
			want := built(t, first, top, raster.BlockID{}, nil)
			for key := range saved.values {
				if strings.Contains(key, fmt.Sprintf("level:%d:", top)) || strings.Contains(key, fmt.Sprintf("level:%d:block:1,1", first.native)) {
					lose(saved, key)
				}
			}
			source := newSource()
			next := sweeping(source, saved)
			if got := built(t, next, top, raster.BlockID{}, nil); !got.SamePixels(want) {
				t.Error("the pixels differ")
			}
			if len(source.times) != 0 {
				t.Errorf("%d blocks were read, though the finer level is saved", len(source.times))
			}
			_, err := next.Blocks(t.Context(), next.native, []raster.BlockID{{Col: 1, Row: 1}}, nil)
			var work *TooExpensiveError
			if !errors.As(err, &work) || len(source.times) != 0 {
				t.Fatalf("after %d blocks were read, a lost block got the error %v", len(source.times), err)
			}
			if err := next.Build(t.Context(), work, func(float64) {}); err != nil {
				t.Fatal(err)
			}
			if under := next.shape.stored.CountCovering(next.under(next.native, next.info.Levels[next.native].Block(raster.BlockID{Col: 1, Row: 1}))); len(source.times) != int(under) {
				t.Errorf("%d blocks were read, %d are under the lost one", len(source.times), under)
			}
		})
	}
}

// Blocks that cannot be read for a while stay saved. Meanwhile they are built again, within a request
// only if that is cheap.
func TestBlocksThatCannotBeRead(t *testing.T) {
	saved := newSaved()
	newSource := func() *counted { return newCounted(storedAs(storedShapes()["small tiles"], storedKinds()["bytes"])) }
	first := sweeping(newSource(), saved)
	top := len(first.info.Levels) - 1
	want := built(t, first, top, raster.BlockID{}, nil)
	saved.isUnreadable = true
	source := newSource()
	next := sweeping(source, saved)
	_, err := next.Blocks(t.Context(), top, []raster.BlockID{{}}, nil)
	var work *TooExpensiveError
	if !errors.As(err, &work) || len(source.times) != 0 {
		t.Fatalf("after %d blocks were read, a block that cannot be read got the error %v", len(source.times), err)
	}
	if err := next.Build(t.Context(), work, func(float64) {}); err != nil {
		t.Fatal(err)
	}
	got, err := next.Blocks(t.Context(), top, []raster.BlockID{{}}, nil)
	if err != nil || !got[0].SamePixels(want) {
		t.Errorf("the pixels differ, or %v", err)
	}
	saved.isUnreadable = false
	source = newSource()
	built(t, sweeping(source, saved), top, raster.BlockID{}, nil)
	if len(source.times) != 0 {
		t.Errorf("%d blocks of the file were read, though all are saved", len(source.times))
	}
}

// Damage is reported again after a restart, so what is damaged is not saved.
func TestDamagedBlocksAreNotSaved(t *testing.T) {
	saved := newSaved()
	first := sweeping(rastertest.DamagedCorner(nil), saved)
	built(t, first, first.native, raster.BlockID{}, nil)
	next := sweeping(rastertest.DamagedCorner(nil), saved)
	if tile := built(t, next, len(next.info.Levels)-1, raster.BlockID{}, nil); tile.Damage().IsZero() {
		t.Error("after a restart, the damage is unknown")
	}
	if len(saved.values) == 0 {
		t.Error("nothing was saved")
	}
}

// What requests build is not saved: they would wait for the disk.
func TestRequestsSaveNothing(t *testing.T) {
	saved := newSaved()
	d := smallLevels(storedAs(storedShapes()["small tiles"], storedKinds()["bytes"]), nil, func(c *Config) { c.Saved = saved })
	if _, err := d.Blocks(t.Context(), d.native, []raster.BlockID{{}}, nil); err != nil {
		t.Fatal(err)
	}
	if len(saved.values) != 0 {
		t.Errorf("%d blocks were saved", len(saved.values))
	}
}

// All types and kinds of coverage become bytes and the same tile again.
func TestSavedBlocksAreTheSameTiles(t *testing.T) {
	for dataType := raster.Uint8; dataType <= raster.Float64; dataType++ {
		if dataType.IsComplex() {
			continue
		}
		for name, coverage := range map[string][][]uint8{
			"all valid": nil,
			"shared":    {{0, 255, 3, 9, 0, 255}},
			"own":       {{0, 255, 3, 9, 0, 255}, nil, {1, 2, 3, 4, 5, 6}},
			"none":      {{0, 0, 0, 0, 0, 0}},
		} {
			b := raster.NewBuffer(dataType, 3, 2, 3)
			for band := range 3 {
				for i, plane := 0, b.Plane(band); i < len(plane); i++ {
					plane[i] = byte(17*i + 5*band)
				}
				if len(coverage) > 1 && coverage[band] != nil {
					copy(b.OwnValidity(band), coverage[band])
				}
			}
			if len(coverage) == 1 {
				b.SetValidity(coverage[0])
			}
			tile := b.Freeze()
			got, ok := decodeBlock(encodeBlock(tile), raster.NewBuffer(dataType, 3, 2, 3))
			if !ok || !got.SamePixels(tile) || got.HasOwnValidity() != tile.HasOwnValidity() {
				t.Errorf("%v, %s: %v", dataType, name, ok)
			}
		}
	}
}

func FuzzDecodeBlock(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 1, 1, 2, 3, 4, 5, 6})
	f.Add([]byte{2, 0, 255, 0, 255, 0, 255, 1, 2, 3, 4, 5, 6, 1, 1, 2, 3, 4, 5, 6})
	f.Fuzz(func(t *testing.T, value []byte) {
		tile, ok := decodeBlock(value, raster.NewBuffer(raster.Uint8, 3, 2, 2))
		if !ok {
			return
		}
		again, ok := decodeBlock(encodeBlock(tile), raster.NewBuffer(raster.Uint8, 3, 2, 2))
		if !ok || !again.SamePixels(tile) {
			t.Error("the tile is not the same when it is saved again")
		}
	})
}
