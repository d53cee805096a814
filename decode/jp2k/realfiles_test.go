package jp2k

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tileserver/cache"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/pool"
	"tileserver/integration/realfiles"
	"tileserver/source"
	"tileserver/source/local"
)

// realFolder returns the folder of real files. With -short, tests that need it are skipped.
func realFolder(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED with -short: no real files are read")
	}
	return realfiles.Folder(t, "EXPECTED.jsonl")
}

// realFile is an open real file, and what was reported while it was read.
type realFile struct {
	*File
	mu    sync.Mutex
	notes []string
}

// reported returns the reports so far.
func (f *realFile) reported() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.notes, "; ")
}

// openReal opens a file that is closed with the test.
func openReal(ctx context.Context, t testing.TB, path string) (*realFile, error) {
	t.Helper()
	src, err := local.Store{}.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return openSource(ctx, src)
}

// openSource opens a source that the caller closes.
func openSource(ctx context.Context, src source.Source) (*realFile, error) {
	return openWith(ctx, src, pool.New(pool.Config{Workers: 2, Budget: cache.NewBudget(256 << 20)}))
}

// openWith opens a source that the caller closes, to be decoded on a pool.
func openWith(ctx context.Context, src source.Source, workers *pool.Pool) (*realFile, error) {
	real := new(realFile)
	config := Config{Config: components.Config{
		Pool:   workers,
		Shared: components.NewShared(cache.New(32<<20), 8<<20),
		Warn: func(note string) {
			real.mu.Lock()
			defer real.mu.Unlock()
			real.notes = append(real.notes, note)
		},
	}}
	var err error
	real.File, err = Open(ctx, src, config)
	return real, err
}

// expectedFile is what other software found in a file.
type expectedFile struct {
	Path       string
	Codestream *expectedCodestream `json:"j2k"`
	Components struct {
		Planes []expectedPlane // the first ones
		Count  int
		Error  string // of software that could not decode it
	}
}

// expectedCodestream is the content of the main header.
type expectedCodestream struct {
	Size, Origin [2]int
	Count        int      `json:"ncomp"`
	Components   []string `json:"comps"` // the first ones, such as u8/1x2: type, bits, sample distances
}

// expectedPlane describes the samples of a component.
type expectedPlane struct {
	Size   [2]int
	Bits   int
	Signed bool
	MD5    string
	Stats  [4]float64 // minimum, maximum, mean and standard deviation
}

// expectedFiles returns the expectations for the files in a folder.
func expectedFiles(t testing.TB, root, folder string) []expectedFile {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "EXPECTED.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []expectedFile
	for line := range bytes.Lines(text) {
		if !bytes.Contains(line, []byte(`"path": "`+folder+`/`)) {
			continue
		}
		var e expectedFile
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v in %.200s", err, line)
		}
		all = append(all, e)
	}
	return all
}

// tableRows returns the rows of a table with named columns, separated by tabs.
func tableRows(t testing.TB, path string) []map[string]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var names []string
	var rows []map[string]string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if names == nil {
			names = fields
			continue
		}
		if len(fields) != len(names) {
			t.Fatalf("%s: a row of %d columns, not %d: %q", filepath.Base(path), len(fields), len(names), lines.Text())
		}
		row := make(map[string]string, len(names))
		for i, name := range names {
			row[name] = fields[i]
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}
