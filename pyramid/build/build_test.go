package build

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// levelsOf returns the levels of an image in blocks of 16 by 16 pixels.
func levelsOf(width, height int) (levels []raster.Level) {
	for {
		levels = append(levels, raster.Level{Width: width, Height: height, BlockWidth: 16, BlockHeight: 16})
		if width <= 16 && height <= 16 {
			return levels
		}
		width, height = (width+1)/2, (height+1)/2
	}
}

// speckled returns an image of three bands with holes.
func speckled(t raster.DataType, width, height, blockWidth, blockHeight int) *rastertest.Synthetic {
	return &rastertest.Synthetic{Name: "speckled@1", Has: rastertest.Flat(t, width, height, 3, blockWidth, blockHeight), Sample: rastertest.Speckle}
}

// putLevels stitches all blocks that are put, and fails for a block that is put twice.
type putLevels struct {
	mu     sync.Mutex
	levels []*raster.Stitcher
	seen   map[string]bool
}

func (p *putLevels) put(c *Config) func(int, raster.BlockID, raster.Tile) error {
	info := c.Source.Info()
	p.seen = make(map[string]bool)
	for _, l := range c.Levels {
		p.levels = append(p.levels, raster.NewStitcher(info.Type, l.Bounds(), len(info.Bands)))
	}
	return func(level int, id raster.BlockID, tile raster.Tile) error {
		p.mu.Lock()
		defer p.mu.Unlock()
		name := fmt.Sprint(level, id)
		if p.seen[name] {
			return errors.New("it was put twice: " + name)
		}
		p.seen[name] = true
		p.levels[level].Put(tile, c.Levels[level].Block(id))
		return nil
	}
}

// whole returns all pixels of level 0.
func whole(t *testing.T, p raster.Provider) raster.Tile {
	t.Helper()
	l := p.Info().Levels[0]
	all := raster.NewStitcher(p.Info().Type, l.Bounds(), len(p.Info().Bands))
	for _, id := range l.Covering(l.Bounds()) {
		tiles, err := p.Blocks(t.Context(), 0, []raster.BlockID{id}, nil)
		if err != nil {
			t.Fatal(err)
		}
		all.Put(tiles[0], l.Block(id))
	}
	return all.Freeze()
}

func TestLevelsAreHalvesOfTheWholeImage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		width, height := 1+random.IntN(150), 1+random.IntN(90)
		blockWidth, blockHeight := 1+random.IntN(70), 1+random.IntN(40)
		if i%3 == 0 {
			blockWidth = width
		}
		types := []raster.DataType{raster.Uint8, raster.Int16, raster.Float32}
		source := speckled(types[i%len(types)], width, height, blockWidth, blockHeight)
		isNearest, hasAlpha := i%2 == 0, i%5 == 0
		if hasAlpha {
			source.Has.Bands[2].Color = raster.Alpha
		}
		c := Config{Source: source, Levels: levelsOf(width, height), Nearest: isNearest, Workers: 1 + i%8, Memory: 64 << 20, Progress: new(Progress)}
		var got putLevels
		c.Put = got.put(&c)
		if lost, err := Run(t.Context(), c); err != nil || lost.Blocks > 0 {
			t.Fatalf("%dx%d: %+v, %v", width, height, lost, err)
		}
		picks := []bool{isNearest, isNearest, isNearest}
		want := whole(t, source)
		for level := range c.Levels {
			if level > 0 && hasAlpha {
				want = resample.HalveByAlpha(want, 2, picks)
			} else if level > 0 {
				want = resample.Halve(want, picks)
			}
			if tile := got.levels[level].Freeze(); !tile.SamePixels(want) {
				t.Fatalf("level %d of %dx%d in blocks of %dx%d, nearest %v, alpha %v, is another one", level, width, height, blockWidth, blockHeight, isNearest, hasAlpha)
			}
		}
		if made, total := c.Progress.Made(); made != total || total != int64(c.Levels[0].Columns()*c.Levels[0].Rows()) {
			t.Errorf("%d of %d blocks are made", made, total)
		}
	}
}

func TestEachStripIsReadOnce(t *testing.T) {
	source := speckled(raster.Uint8, 150, 90, 150, 7)
	reads := make(map[raster.BlockID]int)
	var mu sync.Mutex
	source.Before = func(_ context.Context, _ int, ids []raster.BlockID, _ []int) error {
		mu.Lock()
		defer mu.Unlock()
		for _, id := range ids {
			reads[id]++
		}
		return nil
	}
	c := Config{Source: source, Levels: levelsOf(150, 90), Workers: 3, Memory: 1 << 20}
	c.Put = new(putLevels).put(&c)
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for id, times := range reads {
		if times != 1 {
			t.Errorf("strip %d was read %d times", id.Row, times)
		}
	}
}

var errLost = errors.New("lost")

// damagedAt returns an image of which one block cannot be read.
func damagedAt(id raster.BlockID, err error) *rastertest.Synthetic {
	source := speckled(raster.Uint8, 100, 60, 8, 8)
	source.Before = func(_ context.Context, _ int, ids []raster.BlockID, _ []int) error {
		for _, asked := range ids {
			if asked == id {
				return err
			}
		}
		return nil
	}
	return source
}

func TestDamageEndsABuildOrLosesOnlyItsBlock(t *testing.T) {
	id := raster.BlockID{Col: 5, Row: 3}
	c := Config{Source: damagedAt(id, errLost), Levels: levelsOf(100, 60), Workers: 2, Memory: 1 << 20}
	c.Put = new(putLevels).put(&c)
	if _, err := Run(t.Context(), c); !errors.Is(err, errLost) {
		t.Errorf("%v, want %v", err, errLost)
	}
	c.IsDamage = func(err error) bool { return errors.Is(err, errLost) }
	var got putLevels
	c.Put = got.put(&c)
	lost, err := Run(t.Context(), c)
	if err != nil || lost.Blocks != 1 || len(lost.Texts) != 1 || lost.Texts[0] != "block 5,3: lost" {
		t.Errorf("%+v, %v", lost, err)
	}
	want, full := whole(t, speckled(raster.Uint8, 100, 60, 8, 8)), got.levels[0].Freeze()
	rect := c.Source.Info().Levels[0].Block(id)
	for i := range 100 * 60 {
		isLost := i%100 >= rect.X0 && i%100 < rect.X1 && i/100 >= rect.Y0 && i/100 < rect.Y1
		_, coverage := full.At(0, i%100, i/100)
		_, wanted := want.At(0, i%100, i/100)
		if isLost && coverage != raster.Invalid || !isLost && coverage != wanted {
			t.Fatalf("pixel %d,%d has coverage %d, in the source %d", i%100, i/100, coverage, wanted)
		}
	}
}

func TestABuildOfNothingButDamageFails(t *testing.T) {
	source := speckled(raster.Uint8, 100, 60, 8, 8)
	source.Before = func(context.Context, int, []raster.BlockID, []int) error { return errLost }
	c := Config{Source: source, Levels: levelsOf(100, 60), Workers: 2, Memory: 1 << 20, IsDamage: func(error) bool { return true }}
	c.Put = new(putLevels).put(&c)
	if _, err := Run(t.Context(), c); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want %v", err, ErrDamaged)
	}
}

func TestErrorsThatAreNoDamageEndABuild(t *testing.T) {
	c := Config{Source: damagedAt(raster.BlockID{}, errors.New("no answer")), Levels: levelsOf(100, 60), Workers: 2, Memory: 1 << 20}
	c.Put = new(putLevels).put(&c)
	c.IsDamage = func(err error) bool { return errors.Is(err, errLost) }
	if _, err := Run(t.Context(), c); err == nil {
		t.Error("the build went on")
	}
	sound := speckled(raster.Uint8, 100, 60, 8, 8)
	full := errors.New("no space")
	c.Source, c.Put = sound, func(int, raster.BlockID, raster.Tile) error { return full }
	if _, err := Run(t.Context(), c); !errors.Is(err, full) {
		t.Errorf("%v, want %v", err, full)
	}
}

func TestPartlyDamagedPixelsEndABuildOrAreKept(t *testing.T) {
	source := rastertest.DamagedCorner(nil)
	l := source.Has.Levels[0]
	c := Config{Source: source, Levels: levelsOf(l.Width, l.Height), Workers: 2, Memory: 1 << 20}
	c.Put = new(putLevels).put(&c)
	if _, err := Run(t.Context(), c); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want %v", err, ErrDamaged)
	}
	c.IsDamage = func(error) bool { return false }
	var got putLevels
	c.Put = got.put(&c)
	if lost, err := Run(t.Context(), c); err != nil || lost.Blocks != 1 {
		t.Errorf("%+v, %v", lost, err)
	}
	if tile := got.levels[0].Freeze(); !tile.SamePixels(whole(t, source)) {
		t.Error("what was decoded is not kept")
	}
}

func TestLevelsThatAreNoHalvesAreRefused(t *testing.T) {
	levels := levelsOf(100, 60)
	for name, change := range map[string]func(c *Config){
		"none":         func(c *Config) { c.Levels = nil },
		"not the full": func(c *Config) { c.Levels = c.Levels[1:] },
		"a quarter":    func(c *Config) { c.Levels = append(levelsOf(100, 60)[:1], levels[2]) },
		"odd blocks":   func(c *Config) { c.Levels = []raster.Level{{Width: 100, Height: 60, BlockWidth: 15, BlockHeight: 16}} },
		"complex":      func(c *Config) { c.Source = speckled(raster.Complex64, 100, 60, 8, 8) },
	} {
		c := Config{Source: speckled(raster.Uint8, 100, 60, 8, 8), Levels: levels, Workers: 1, Memory: 1 << 20}
		change(&c)
		if _, err := Run(t.Context(), c); !errors.Is(err, ErrLevels) {
			t.Errorf("%s: %v, want %v", name, err, ErrLevels)
		}
	}
}
