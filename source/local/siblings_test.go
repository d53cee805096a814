package local

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tileserver/source/ranges"
)

func TestSiblings(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(name string) {
		t.Helper()
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	write("a.tif.msk", "mask")
	if err := os.Mkdir(filepath.Join(folder, "a.tif.ovr"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		change func()
		want   bool
	}{
		{"nothing happened", func() {}, true},
		{"one changed that nobody asked for", func() { write("a.tif", "new") }, true},
		{"one grew", func() { write("a.tif.msk", "longer mask") }, false},
		{"one was written again", func() {
			if err := os.Chtimes(filepath.Join(folder, "a.tif.msk"), time.Time{}, time.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"one was removed", func() { remove("a.tif.msk") }, false},
		{"one appeared", func() { write("a.tif.msk", "mask") }, false},
		{"a folder became a file", func() { remove("a.tif.ovr"); write("a.tif.ovr", "overview") }, false},
		{"a file became a folder", func() {
			remove("a.tif.ovr")
			if err := os.Mkdir(filepath.Join(folder, "a.tif.ovr"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, false},
	} {
		b := newSiblings(filepath.Join(folder, "a.tif"), Store{})
		for _, name := range []string{"a.tif.msk", "a.tif.ovr", "a.tfw"} {
			s, err := b.open(name)
			if err == nil {
				err = s.Close()
			} else if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			if err != nil {
				t.Fatalf("%s: %s: %v", test.name, name, err)
			}
		}
		test.change()
		if got := b.isCurrent(); got != test.want {
			t.Errorf("%s: current %v, want %v", test.name, got, test.want)
		}
	}
}

// While the file system hangs, what is known of the siblings can be asked for.
func TestSiblingsThatHang(t *testing.T) {
	for name, call := range map[string]func(*siblings){
		"isCurrent": func(b *siblings) { b.isCurrent() },
		"now":       func(b *siblings) { b.now() },
		"open":      func(b *siblings) { _, _ = b.open("a.tfw") },
	} {
		path := writeFile(t, filepath.Join(t.TempDir(), "a.tif"), []byte("bytes"))
		f := openFile(t, path, ranges.Options{})
		if _, err := f.Sibling(t.Context(), "a.tif.msk"); !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		asked, hanging := make(chan bool), make(chan bool)
		f.siblings.stat = func(path string) (fs.FileInfo, error) {
			asked <- true
			<-hanging
			return os.Stat(path)
		}
		var calling sync.WaitGroup
		calling.Go(func() { call(f.siblings) })
		<-asked
		if !f.siblings.mu.TryLock() {
			t.Fatalf("%s: the siblings are locked", name)
		}
		f.siblings.mu.Unlock()
		if got := f.ChangedAt(); !got.Equal(fileTime) {
			t.Errorf("%s: it was changed at %v", name, got)
		}
		close(hanging)
		calling.Wait()
	}
}

func TestSiblingsStayInTheFolder(t *testing.T) {
	folder := t.TempDir()
	b := newSiblings(filepath.Join(folder, "a.tif"), Store{})
	for _, name := range []string{"", ".", "..", "../a", "/etc/passwd", "sub/a"} {
		if s, err := b.open(name); s != nil || err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: got %v and %v, want an error", name, s, err)
		}
	}
}
