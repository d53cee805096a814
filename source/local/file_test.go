package local

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"tileserver/source"
	"tileserver/source/ranges"
)

var fileTime = time.Date(2024, 5, 6, 7, 8, 9, 123456789, time.UTC)

// writeFile creates a file that was last modified long ago, so that the clock's resolution hides no
// change.
func writeFile(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	setTime(t, path, fileTime)
	return path
}

func setTime(t *testing.T, path string, modified time.Time) {
	t.Helper()
	if err := os.Chtimes(path, modified, modified); err != nil {
		t.Fatal(err)
	}
}

func openFile(t *testing.T, path string, options ranges.Options) *File {
	t.Helper()
	f, err := Open(path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestFileThatChangesIsAnError(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 1000)
	tests := []struct {
		name   string
		change func(t *testing.T, path string)
	}{
		{"written in place", func(t *testing.T, path string) { overwrite(t, path, []byte("x")) }},
		{"appended to", func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
			setTime(t, path, fileTime)
		}},
		{"cut off behind what is read", func(t *testing.T, path string) { truncate(t, path, 9000) }},
		{"cut off before what is read", func(t *testing.T, path string) { truncate(t, path, 10) }},
		{"touched", func(t *testing.T, path string) { setTime(t, path, fileTime.Add(time.Second)) }},
		{"dated back", func(t *testing.T, path string) { setTime(t, path, fileTime.Add(-time.Second)) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := writeFile(t, filepath.Join(t.TempDir(), "file"), data)
			f := openFile(t, path, ranges.Options{})
			asked := []source.Range{{Offset: 100, Length: 10}, {Offset: 8000, Length: 10}}
			if _, err := f.ReadRanges(t.Context(), asked); err != nil {
				t.Fatalf("before the change: %v", err)
			}
			test.change(t, path)
			parts, err := f.ReadRanges(t.Context(), asked)
			if !errors.Is(err, source.ErrChanged) || parts != nil {
				t.Errorf("got %d parts, error %v; want none, %v", len(parts), err, source.ErrChanged)
			}
			if again := openFile(t, path, ranges.Options{}); again.Version() == f.Version() {
				t.Errorf("opened again, it still has the version %s", f.Version())
			}
		})
	}
}

func overwrite(t *testing.T, path string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(data, 5); err != nil {
		t.Fatal(err)
	}
}

// truncate keeps the modification time, so that only the size differs.
func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	setTime(t, path, fileTime)
}

func isCurrent(t *testing.T, f *File) bool {
	t.Helper()
	is, err := f.IsCurrent(t.Context())
	if err != nil {
		t.Error(err)
	}
	return is
}

func TestFileReplacedByRenamingIsStillTheOldOne(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows does not let an open file be replaced")
	}
	folder := t.TempDir()
	path := writeFile(t, filepath.Join(folder, "file"), []byte("old bytes"))
	f := openFile(t, path, ranges.Options{})
	if err := os.Rename(writeFile(t, filepath.Join(folder, "next"), []byte("new bytes")), path); err != nil {
		t.Fatal(err)
	}
	parts, err := f.ReadRanges(t.Context(), []source.Range{{Offset: 0, Length: 3}})
	if err != nil || string(parts[0]) != "old" {
		t.Errorf("got %q, %v; want old", parts, err)
	}
	// By their versions the two are indistinguishable: same size, same time.
	if got, want := openFile(t, path, ranges.Options{}).Version(), "9-663881d9.75bcd15"; got != want || f.Version() != want {
		t.Errorf("the old file has the version %s, the new one %s, want %s", f.Version(), got, want)
	}
	if isCurrent(t, f) {
		t.Error("the old file is still current")
	}
}

func TestFileHasTheSameVersionEachTimeItIsOpened(t *testing.T) {
	path := writeFile(t, filepath.Join(t.TempDir(), "file"), []byte("bytes"))
	first, second := openFile(t, path, ranges.Options{}), openFile(t, path, ranges.Options{ParallelReads: 2})
	if first.Version() != second.Version() {
		t.Errorf("versions %s and %s, want the same", first.Version(), second.Version())
	}
}

func TestOpenFileRejects(t *testing.T) {
	folder := t.TempDir()
	if _, err := Open(filepath.Join(folder, "none"), ranges.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v, want %v", err, fs.ErrNotExist)
	}
	if _, err := Open(folder, ranges.Options{}); !source.IsNotObject(err) {
		t.Errorf("a folder: %v, want a NotObjectError", err)
	}
	path := writeFile(t, filepath.Join(folder, "file"), nil)
	if _, err := Open(path, ranges.Options{ParallelReads: -1}); err == nil {
		t.Error("bad options were accepted")
	}
}

func TestFileReadPastItsEndIsShort(t *testing.T) {
	f := openFile(t, writeFile(t, filepath.Join(t.TempDir(), "file"), []byte("0123456789")), ranges.Options{})
	for _, offset := range []int64{7, 10, 100} {
		if err := f.readAt(t.Context(), make([]byte, 5), offset); !errors.Is(err, source.ErrShortRead) {
			t.Errorf("5 bytes at %d of 10: error %v, want %v", offset, err, source.ErrShortRead)
		}
	}
}

func TestClosedFileIsAnError(t *testing.T) {
	f, err := Open(writeFile(t, filepath.Join(t.TempDir(), "file"), []byte("0123456789")), ranges.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, asked := range [][]source.Range{{{Offset: 0, Length: 3}}, {}} {
		if _, err := f.ReadRanges(t.Context(), asked); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("ReadRanges(%v): error %v, want %v", asked, err, fs.ErrClosed)
		}
	}
}

func TestAFileIsCurrentUntilItIsReplacedChangedOrGone(t *testing.T) {
	changes := map[string]func(t *testing.T, path string){
		"written to": func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte("something longer"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"replaced": func(t *testing.T, path string) {
			if runtime.GOOS == "windows" {
				t.Skip("an open file cannot be replaced there")
			}
			other := path + ".new"
			if err := os.WriteFile(other, []byte("data"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(other, path); err != nil {
				t.Fatal(err)
			}
		},
		"gone": func(t *testing.T, path string) {
			if runtime.GOOS == "windows" {
				t.Skip("an open file cannot be removed there")
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f")
			if err := os.WriteFile(path, []byte("data"), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path, ranges.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if !isCurrent(t, f) {
				t.Error("it is not current from the start")
			}
			change(t, path)
			if isCurrent(t, f) {
				t.Error("it is still current")
			}
		})
	}
}
