package farfiles

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/dataset"
	"tileserver/decode/container"
	"tileserver/integration/realfiles"
	"tileserver/raster"
	"tileserver/source"
	"tileserver/source/local"
)

// folders are those of real files: each has a format, or damaged files of all.
var folders = [...]string{"tiff", "jp2k", "nitf", "corrupt"}

// realFiles returns the names of all files in a folder and below it.
func realFiles(t *testing.T, root, folder string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, ".gz") {
			return err
		}
		name, err := filepath.Rel(root, path)
		names = append(names, name)
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files in %s: %v", len(names), folder, err)
	}
	return names
}

// TestEveryRealFileIsReadFarAwayAsNearby opens each file twice. What is known of it, its pixels and its errors
// must be the same. Far away, few requests may come one after the other to open it, and to read blocks.
func TestEveryRealFileIsReadFarAwayAsNearby(t *testing.T) {
	const mostToOpen, mostForBlocks = 2, 2
	root := realfiles.Folder(t, folders[0])
	for _, folder := range folders {
		found := new(openings)
		t.Run(folder, func(t *testing.T) {
			for _, name := range realFiles(t, root, folder) {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						path := filepath.Join(root, name)
						near := read(t.Context(), local.Store{}, path)
						far := read(t.Context(), farStore{traffic: new(traffic)}, path)
						if got := strings.ReplaceAll(far.content, scheme, ""); got != near.content {
							t.Errorf("far away it is\n%s\nnearby\n%s", got, near.content)
						}
						if far.opening > mostToOpen || far.blocks > mostForBlocks {
							t.Errorf("%d round trips to open it, and %d for blocks, want at most %d and %d", far.opening, far.blocks, mostToOpen, mostForBlocks)
						}
						found.add(name, far.opening)
					})
				})
			}
		})
		t.Log(folder, found)
	}
}

// openings tells how many requests, one after the other, it took to open files.
type openings struct {
	mu    sync.Mutex // guards the fields below
	trips []int
	most  []string // that took more than one
}

func (o *openings) add(name string, trips int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.trips = append(o.trips, trips); trips > 1 {
		o.most = append(o.most, fmt.Sprintf("%s %d", name, trips))
	}
}

func (o *openings) String() string {
	if len(o.trips) == 0 {
		return "no file"
	}
	slices.Sort(o.trips)
	slices.Sort(o.most)
	last := len(o.trips) - 1
	return fmt.Sprintf("%d files; requests to open: median %d, p90 %d, at most %d; more than one: %s",
		len(o.trips), o.trips[last/2], o.trips[last*9/10], o.trips[last], strings.Join(o.most, ", "))
}

// reading is what was read of a file, and how many round trips it took.
type reading struct {
	content string
	opening int
	blocks  int // of one call for blocks, at most
}

func read(ctx context.Context, files source.Store, path string) (r reading) {
	began := time.Now()
	f, _, err := newOpener(files).Open(ctx, path, dataset.Options{})
	r.opening = tripsSince(began)
	if err != nil {
		r.content = err.Error()
		return r
	}
	for i := range f.Images() {
		r.add(ctx, f, i)
	}
	if err := f.Close(); err != nil {
		r.content += err.Error()
	}
	return r
}

func tripsSince(began time.Time) int { return int(time.Since(began) / roundTrip) }

func newOpener(files source.Store) *dataset.Opener {
	return dataset.NewOpener(dataset.Config{Files: files, Workers: 2, InFlight: 256 << 20})
}

// add adds the facts of an image, and a digest of some blocks of each level.
func (r *reading) add(ctx context.Context, f container.File, number int) {
	facts, err := container.Describe(ctx, f, number+1, nil)
	if err != nil {
		r.content += err.Error()
		return
	}
	text, err := json.Marshal(facts)
	r.content += fmt.Sprintf("%s %v\n", text, err)
	m := f.Images()[number]
	for i, level := range m.Info().Levels {
		began := time.Now()
		tiles, err := m.Blocks(ctx, i, someOf(level), nil)
		r.blocks = max(r.blocks, tripsSince(began))
		digest := fnv.New64a()
		for _, tile := range tiles {
			add(digest, tile)
		}
		r.content += fmt.Sprintf("level %d: %x %v\n", i, digest.Sum64(), err)
	}
}

// someOf returns the first block of a level, one in the middle and the last one.
func someOf(l raster.Level) []raster.BlockID {
	last := raster.BlockID{Col: l.Columns() - 1, Row: l.Rows() - 1}
	return raster.UniqueBlocks([]raster.BlockID{{}, {Col: last.Col / 2, Row: last.Row / 2}, last})
}

func add(digest io.Writer, tile raster.Tile) {
	fmt.Fprintln(digest, tile.Width(), tile.Height(), tile.Type(), tile.Damage())
	for band := range tile.Bands() {
		_, _ = digest.Write(tile.Plane(band))
		_, _ = digest.Write(tile.Validity(band))
	}
}
