package disktier

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/cache/disk"
	"tileserver/source"
)

// keptFiles returns the files of blocks.
func keptFiles(t testing.TB, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*.kept"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestBlocksOutliveTheProcess(t *testing.T) {
	folder, data := filepath.Join(t.TempDir(), "made", "when missing"), randomBytes(1, oddBytes)
	o := newFake(data)
	for process := range 3 {
		tier := openTier(t, folder)
		wantBytes(t, o.through(t, tier), data, source.Range{Length: oddBytes})
		tier.Close()
		if kept := len(keptFiles(t, folder)); kept != 11 || len(o.Calls()) != 1 {
			t.Errorf("after process %d, %d blocks are kept, and the object was asked for %v", process, kept, o.Calls())
		}
	}
}

func TestAFolderIsOfOneProcess(t *testing.T) {
	folder := t.TempDir()
	tier := openTier(t, folder)
	_, err := Open(Config{Folder: folder, MaxBytes: MinBytes})
	if !errors.Is(err, disk.ErrInUse) || !strings.Contains(err.Error(), folder) {
		t.Errorf("a second process: %v", err)
	}
	tier.Close()
	openTier(t, folder)
}

func TestNoTierKeepsNothing(t *testing.T) {
	var none *Tier
	store := fakeStore{object: newFake(nil)}
	if none.Over(store) != source.Store(store) || none.Stats() != (Stats{}) {
		t.Error("no tier does something")
	}
	none.Close()
}

func TestMistakesAreErrors(t *testing.T) {
	if _, err := Open(Config{Folder: t.TempDir(), MaxBytes: MinBytes - 1}); err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Errorf("a small disk cache: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Config{Folder: file, MaxBytes: MinBytes}); err == nil {
		t.Error("a file is a folder")
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "00"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first one has released the folder
		if _, err := Open(Config{Folder: folder, MaxBytes: MinBytes}); err == nil || errors.Is(err, disk.ErrInUse) {
			t.Errorf("a folder with a file in the way: %v", err)
		}
	}
}

// Whatever is read, the files take no more of the disk than they may, once the old ones are removed.
func TestTheFolderIsBounded(t *testing.T) {
	folder, data := t.TempDir(), randomBytes(2, 100*blockBytes)
	tier, err := open(Config{Folder: folder, MaxBytes: 20 * fileBytes}, 2)
	if err != nil {
		t.Fatal(err)
	}
	opened := newFake(data).through(t, tier)
	for i := range int64(100) {
		wantBytes(t, opened, data, source.Range{Offset: i * blockBytes, Length: 5})
	}
	tier.Close()
	stats := tier.Stats()
	if stats.Blocks == 0 || stats.Blocks > 20 || stats.Bytes > 20*fileBytes || stats.Evicted != stats.Written-int64(stats.Blocks) {
		t.Errorf("%+v", stats)
	}
	tier, err = open(Config{Folder: folder, MaxBytes: 20 * fileBytes}, 2) // removals may have ended after the first process
	if err != nil {
		t.Fatal(err)
	}
	defer tier.Close()
	o := newFake(data)
	wantBytes(t, o.through(t, tier), data, source.Range{Offset: 99 * blockBytes, Length: 5})
	wantCalls(t, o, 0) // the last block was used last
}

// No identity, and so no address, is in a name or a file.
func TestTheFolderHasNoAddress(t *testing.T) {
	folder := t.TempDir()
	tier, data := openTier(t, folder), randomBytes(3, oddBytes)
	o := newFake(data)
	o.id = "https://example.org/a.tif?sig=secret@etag"
	wantBytes(t, o.through(t, tier), data, source.Range{Length: 5})
	tier.Close()
	for _, path := range keptFiles(t, folder) {
		content, err := os.ReadFile(path)
		if text := path + string(content); err != nil || strings.Contains(text, "secret") || strings.Contains(text, "example.org") {
			t.Errorf("%s, %v", path, err)
		}
	}
}

func BenchmarkReadFromDisk(b *testing.B) {
	tier, data := openTier(b, b.TempDir()), randomBytes(4, 64*blockBytes)
	opened := newFake(data).through(b, tier)
	wantBytes(b, opened, data, source.Range{Length: 64 * blockBytes})
	tier.flush()
	for name, ranges := range map[string][]source.Range{
		"tile": {{Offset: 3*blockBytes + 100, Length: 20_000}}, "across": {{Offset: 3*blockBytes - 100, Length: 20_000}}, "all": {{Length: 64 * blockBytes}},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(ranges[0].Length)
			for b.Loop() {
				if _, err := opened.ReadRanges(b.Context(), ranges); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A folder that is deleted while the server runs costs what would have been kept, and is reported.
func TestAFolderThatIsDeletedIsReported(t *testing.T) {
	folder, data := t.TempDir(), randomBytes(5, oddBytes)
	reports := make(chan error, 100)
	tier, err := Open(Config{Folder: folder, MaxBytes: MinBytes, OnFailure: func(err error) { reports <- err }})
	if err != nil {
		t.Fatal(err)
	}
	defer tier.Close()
	opened := newFake(data).through(t, tier)
	wantBytes(t, opened, data, source.Range{Length: 2 * blockBytes})
	tier.flush()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		wantBytes(t, opened, data, source.Range{Length: oddBytes})
		tier.flush()
	}
	if stats := tier.Stats(); len(reports) != 1 || stats.Written != 2 || stats.Blocks != 0 || stats.Lost == 0 {
		t.Errorf("reported %d times, %+v", len(reports), stats)
	}
}
