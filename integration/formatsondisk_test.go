package integration

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/dataset"
	"tileserver/decode/container"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu/route"
	"tileserver/layer/analysis"
	"tileserver/pyramid/overview"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
	"tileserver/source"
	"tileserver/source/disktier"
	"tileserver/source/local"
	"tileserver/source/sourcetest"
)

// The examples of formats-on-disk.md are what the program writes: the name and the bytes of a file,
// and the bytes of a value of each kind.
func TestFormatsOnDiskAreAsTheDocumentSays(t *testing.T) {
	for name, written := range map[string]func(*testing.T) []byte{
		"A file":         exampleFile,
		"Statistics":     exampleStatistics,
		"Tile-parts":     exampleParts,
		"A packet index": exampleIndex,
		"Overviews":      exampleOverview,
		"Costs of GPUs":  exampleCosts,
		"The disk cache": exampleBlock,
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := written(t), exampleOf(t, name); !bytes.Equal(got, want) {
				t.Errorf("the program writes\n%sand the document says\n%s", hex.Dump(got), hex.Dump(want))
			}
		})
	}
}

// exampleOf returns the bytes of the hex dump in a section of the document.
func exampleOf(t *testing.T, section string) []byte {
	t.Helper()
	_, text, found := strings.Cut(formatsOnDisk(t), "\n## "+section+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	dump := regexp.MustCompile("(?s)```hex\n(.*?)```").FindStringSubmatch(text)
	if !found || dump == nil {
		t.Fatalf("the document has no section %q with an example", section)
	}
	var digits strings.Builder
	for line := range strings.Lines(dump[1]) {
		line, _, _ = strings.Cut(line, "  ") // the rest explains
		digits.WriteString(strings.ReplaceAll(strings.TrimSpace(line), " ", ""))
	}
	content, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatalf("the example of %q: %v", section, err)
	}
	return content
}

// exampleFile returns the file of the value "value" under the key "key".
func exampleFile(t *testing.T) []byte {
	folder := t.TempDir()
	if err := stateIn(t, folder).Put(t.Context(), "key", []byte("value")); err != nil {
		t.Fatal(err)
	}
	kept := onlyKept(t, folder)
	if !strings.Contains(formatsOnDisk(t), "`"+kept.name+"`") {
		t.Errorf("the document does not have the name %s", kept.name)
	}
	return kept.content
}

// exampleStatistics returns the statistics of the samples 3, 5 and 5.
func exampleStatistics(t *testing.T) []byte {
	folder := t.TempDir()
	samples := &rastertest.Synthetic{Name: "layer@version", Has: rastertest.Flat(raster.Uint8, 3, 1, 1, 16, 16),
		Sample: func(_, _, x, _ int) (float64, bool) { return float64(min(3+2*x, 5)), true }}
	c := analysis.New(analysis.Config{State: stateIn(t, folder), Gate: admission.New(admission.Config{})})
	task := analysis.Task{IsOwnStyle: true, Dataset: samples.Key(), Identity: "identity", MaxPixels: 1000}
	if _, err := c.Statistics(t.Context(), samples, []int{0}, task); err != nil {
		t.Fatal(err)
	}
	kept := onlyKept(t, folder)
	if !strings.Contains(formatsOnDisk(t), "`"+kept.key+"`") {
		t.Errorf("the document does not have the key %q", kept.key)
	}
	return kept.value
}

// exampleCosts returns the costs of a GPU that takes 2 ms for what a core does in 9 ms, and reads in 1 ms.
func exampleCosts(t *testing.T) []byte {
	text, err := json.Marshal(route.Costs{
		OnDevice: route.Curve{{Work: 1e6, Took: 2 * time.Millisecond}}, Reading: time.Millisecond, OnCore: 9 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// exampleOverview returns the overview of an image of two bands and three by two pixels, some of which
// are nodata in both bands.
func exampleOverview(t *testing.T) []byte {
	folder := t.TempDir()
	source := &rastertest.Synthetic{Name: "layer@version", Has: rastertest.Flat(raster.Uint16, 3, 2, 2, 16, 16),
		Sample: func(_, band, x, y int) (float64, bool) { return float64(300 + 1000*band + 10*x), x+y < 3 }}
	groups, err := disk.OpenGroups(disk.GroupsConfig{Folder: folder, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	c := cache.New(1 << 20)
	built := overview.New(source, blockcache.New(c), overview.Config{
		MinSize: 2, MaxBytes: 1, Coarse: blockcache.NewCoarse(cache.NewPartition(c, 1<<19)), CoarseBytes: 1 << 19,
		Saved: groups.Group(overview.SavedVersion + ":identity:layer@version"), TellsSamples: true,
	})
	missing, err := built.Missing(t.Context(), 1, []raster.BlockID{{}}, nil)
	if err == nil {
		err = built.Build(t.Context(), missing, func(float64) {})
	}
	if err != nil {
		t.Fatal(err)
	}
	subfolders, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(subfolders) != 1 {
		t.Fatal(subfolders, err)
	}
	kept := onlyKept(t, subfolders[0])
	for _, name := range []string{kept.key, filepath.Base(subfolders[0])} {
		if !strings.Contains(formatsOnDisk(t), "`"+name+"`") {
			t.Errorf("the document does not have %q", name)
		}
	}
	return kept.value
}

// exampleBlock returns the file of the third block of a remote file, of which that has five bytes.
func exampleBlock(t *testing.T) []byte {
	folder := t.TempDir()
	tier, err := disktier.Open(disktier.Config{Folder: folder, MaxBytes: disktier.MinBytes})
	if err != nil {
		t.Fatal(err)
	}
	remote := exampleRemote{sourcetest.NewStore()}
	remote.Put("remote", append(make([]byte, 2*65536), "block"...), time.Hour)
	object, err := tier.Over(remote).Open(t.Context(), "remote")
	if err == nil {
		_, err = object.ReadRanges(t.Context(), []source.Range{{Offset: 2*65536 + 2, Length: 1}})
	}
	if err != nil {
		t.Fatal(err)
	}
	tier.Close()
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*.kept"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	kept := onlyKept(t, filepath.Dir(paths[0]))
	for _, name := range []string{kept.key, filepath.Base(filepath.Dir(paths[0])) + "/" + kept.name} {
		if !strings.Contains(formatsOnDisk(t), "`"+name+"`") {
			t.Errorf("the document does not have %q", name)
		}
	}
	return kept.content
}

// exampleRemote is a store whose objects have the same identity.
type exampleRemote struct{ *sourcetest.Store }

func (r exampleRemote) Open(ctx context.Context, path string) (source.Object, error) {
	o, err := r.Store.Open(ctx, path)
	return exampleObject{o}, err
}

type exampleObject struct{ source.Object }

func (exampleObject) Identity(context.Context) (string, error) { return "identity", nil }

// exampleImage is coded in two layers and two tiles. The second tile is blank, and some code-blocks
// of the first one.
func exampleImage() jp2ktest.Image {
	return jp2ktest.Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X1: 32, Y1: 8}, FirstTile: wavelet.Rect{X1: 16, Y1: 8},
			Components: []codestream.Component{{Bits: 8, Signed: true, DX: 1, DY: 1}},
			Coding:     codestreamtest.Coding{Layers: 2, BlockWidthLog2: 2, BlockHeightLog2: 2},
		},
		Sample: func(_, x, y int) int64 {
			switch {
			case x < 4:
				return int64(x * y * 29 % 100)
			case x < 8 && y < 4:
				return 1
			}
			return 0
		},
	}
}

func exampleHeaders(t *testing.T) (*codestreamtest.Reader, *codestream.Header, *codestream.Parts) {
	t.Helper()
	r := codestreamtest.NewReader(exampleImage().Codestream())
	h, err := codestream.ReadHeader(r, codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := h.FindParts(r)
	if err != nil {
		t.Fatal(err)
	}
	return r, h, parts
}

func exampleParts(t *testing.T) []byte {
	_, _, parts := exampleHeaders(t)
	value, err := parts.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func exampleIndex(t *testing.T) []byte {
	r, h, parts := exampleHeaders(t)
	tile, err := h.ReadTile(r, parts, 0)
	if err != nil {
		t.Fatal(err)
	}
	index, err := packets.Scan(t.Context(), r, tile, packets.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return index.AppendBinary(nil)
}

// The tile-parts and the packet index of a JPEG 2000 file are stored in the folder, and under the
// keys, that the document gives. The image is just large enough for both to be stored.
func TestKeysOnDiskAreAsTheDocumentSays(t *testing.T) {
	image := jp2ktest.Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X1: 8 * 320, Y1: 8 * 288}, FirstTile: wavelet.Rect{X1: 320, Y1: 288},
			Components: []codestream.Component{{Bits: 8, Signed: true, DX: 1, DY: 1}},
		},
		OfTile: map[int]codestreamtest.Coding{0: {BlockWidthLog2: 2, BlockHeightLog2: 2}},
		Sample: func(_, x, y int) int64 { return max(0, int64(1-x-y)) },
	}
	path, folder := filepath.Join(t.TempDir(), "image.j2k"), t.TempDir()
	if err := os.WriteFile(path, image.Codestream(), 0o644); err != nil {
		t.Fatal(err)
	}
	o := dataset.NewOpener(dataset.Config{Files: local.Store{}, Workers: 1, InFlight: 64 << 20, Cache: cache.New(16 << 20), State: stateIn(t, folder)})
	f, object, err := o.Open(t.Context(), path, dataset.Options{ID: "layer"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	shown, err := container.ImageOf(f, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shown.Blocks(t.Context(), 0, []raster.BlockID{{}}, []int{0}); err != nil {
		t.Fatal(err)
	}
	identity, err := object.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	known := strings.NewReplacer("IDENTITY", identity, "LAYER", "layer", "VERSION", object.Version(), "TILE", "0", "PIECE", "0")
	var documented []string
	for _, match := range regexp.MustCompile("`(IDENTITY:jp2k:.*?)`").FindAllStringSubmatch(formatsOnDisk(t), -1) {
		documented = append(documented, known.Replace(match[1]))
	}
	files := keptIn(t, filepath.Join(folder, "code-blocks"))
	for _, file := range files {
		if !slices.Contains(documented, file.key) {
			t.Errorf("the program stores the key %q, the document has %q", file.key, documented)
		}
	}
	if len(files) != 2 {
		t.Errorf("%d values were stored, want the tile-parts and one index", len(files))
	}
}

func formatsOnDisk(t *testing.T) string {
	t.Helper()
	return readText(t, "../docs/formats-on-disk.md")
}

// keptFile is a file of a state folder.
type keptFile struct {
	name    string
	content []byte
	key     string
	value   []byte
}

// keptIn returns the files of a folder, and checks their names.
func keptIn(t *testing.T, folder string) []keptFile {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.kept"))
	if err != nil {
		t.Fatal(err)
	}
	var files []keptFile
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		key, value, found := bytes.Cut(content[sha256.Size:], []byte{0})
		digest := sha256.Sum256(key)
		if name := hex.EncodeToString(digest[:16]) + ".kept"; !found || filepath.Base(path) != name {
			t.Errorf("the file of the key %q is named %s, want %s", key, filepath.Base(path), name)
		}
		files = append(files, keptFile{filepath.Base(path), content, string(key), value})
	}
	return files
}

func onlyKept(t *testing.T, folder string) keptFile {
	t.Helper()
	files := keptIn(t, folder)
	if len(files) != 1 {
		t.Fatalf("%d files were written, want 1", len(files))
	}
	return files[0]
}

func stateIn(t *testing.T, folder string) *disk.Store {
	t.Helper()
	s, err := disk.Open(disk.Config{Folder: folder, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
