package sourcetest

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"tileserver/source"
)

// Fixture is a store under test, with the means to change what it holds.
type Fixture struct {
	Store source.Store
	Join  func(names ...string) string   // the path of an object, from the names of folders and its own
	Put   func(path string, data string) // writes an object, and the folders that lead to it
	Drop  func(path string)              // removes an object
}

// RunStore checks that a store keeps the contract of source.Store. The function open returns a
// Fixture with an empty store; it may use t for temporary files and servers.
func RunStore(t *testing.T, open func(t *testing.T) Fixture) {
	for name, test := range map[string]func(t *testing.T, f Fixture){
		"objects are sources":                 testObjects,
		"folders list what lies in them":      testList,
		"states tell versions apart":          testStates,
		"what is not there":                   testNotExist,
		"a folder is no object":               testFolderIsNoObject,
		"an object is current until replaced": testIsCurrent,
		"siblings":                            testSiblings,
		"siblings stay in the folder":         testSiblingNames,
		"identities":                          testIdentities,
		"files of a folder share a storage":   testStorage,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
	t.Run("conformance of objects", func(t *testing.T) {
		Run(t, func(t *testing.T, data []byte) source.Source {
			f := open(t)
			path := f.Join("folder", "object")
			f.Put(path, string(data))
			return f.open(t, path)
		})
	})
}

// open opens an object. The caller closes it.
func (f Fixture) open(t *testing.T, path string) source.Object {
	t.Helper()
	o, err := f.Store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// opened opens an object until the test ends.
func (f Fixture) opened(t *testing.T, path string) source.Object {
	t.Helper()
	o := f.open(t, path)
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

func testObjects(t *testing.T, f Fixture) {
	path := f.Join("folder", "a.tif")
	f.Put(path, "the bytes")
	o := f.opened(t, f.Store.Canonical(path))
	wantAnswer(t, o, []byte("the bytes"), []source.Range{{Offset: 4, Length: 5}})
	if again := f.Store.Canonical(f.Store.Canonical(path)); again != f.Store.Canonical(path) {
		t.Errorf("the canonical path of a canonical path is %s", again)
	}
	if state := f.state(t, path); o.ChangedAt().UnixNano() != state.Modified {
		t.Errorf("it was changed at %v, and its state says %v", o.ChangedAt(), time.Unix(0, state.Modified))
	}
	if err := o.Settle(t.Context()); err != nil {
		t.Error(err)
	}
}

func testList(t *testing.T, f Fixture) {
	for _, names := range [][]string{{"folder", "a.tif"}, {"folder", "deep", "er", "b.tif"}, {"folder", "c.tif"}, {"other", "d.tif"}} {
		f.Put(f.Join(names...), "bytes")
	}
	entries, err := f.Store.List(t.Context(), f.Join("folder"))
	if err != nil {
		t.Fatal(err)
	}
	want := []source.Entry{
		{Name: "a.tif", Path: f.Join("folder", "a.tif")}, {Name: "c.tif", Path: f.Join("folder", "c.tif")},
		{Name: "deep", Path: f.Join("folder", "deep"), IsFolder: true},
	}
	slices.SortFunc(entries, func(a, b source.Entry) int { return strings.Compare(a.Name, b.Name) })
	if !slices.Equal(entries, want) {
		t.Errorf("got %v, want %v", entries, want)
	}
}

func testStates(t *testing.T, f Fixture) {
	path := f.Join("folder", "a.tif")
	f.Put(path, "bytes")
	state := f.state(t, path)
	if state.Size != 5 || state.Mode.IsDir() || state == (source.State{}) || f.state(t, path) != state {
		t.Errorf("the state is %+v, then %+v", state, f.state(t, path))
	}
	if folder := f.state(t, f.Join("folder")); !folder.Mode.IsDir() {
		t.Errorf("the state of the folder is %+v", folder)
	}
	f.Put(path, "more bytes")
	if changed := f.state(t, path); changed.Stamp == state.Stamp {
		t.Errorf("another version has the same stamp %+v", changed)
	}
}

func (f Fixture) state(t *testing.T, path string) source.State {
	t.Helper()
	state, err := f.Store.Stat(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func testNotExist(t *testing.T, f Fixture) {
	f.Put(f.Join("folder", "a.tif"), "bytes")
	path := f.Join("folder", "none.tif")
	if state, err := f.Store.Stat(t.Context(), path); state != (source.State{}) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Stat: %+v, %v", state, err)
	}
	if o, err := f.Store.Open(t.Context(), path); o != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open: %v, %v", o, err)
	}
	if entries, err := f.Store.List(t.Context(), path); len(entries) > 0 || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("List: %v, %v", entries, err)
	}
}

func testFolderIsNoObject(t *testing.T, f Fixture) {
	f.Put(f.Join("folder", "a.tif"), "bytes")
	o, err := f.Store.Open(t.Context(), f.Join("folder"))
	if notObject := (source.NotObjectError{}); o != nil || !errors.As(err, &notObject) || notObject.Kind() != "a folder" {
		t.Errorf("got %v, %v", o, err)
	}
}

func testIsCurrent(t *testing.T, f Fixture) {
	path := f.Join("folder", "a.tif")
	f.Put(path, "bytes")
	for name, change := range map[string]func(){
		"written to": func() { f.Put(path, "other, longer bytes") },
		"removed":    func() { f.Drop(path) },
	} {
		f.Put(path, "bytes")
		o := f.opened(t, path)
		if !isCurrent(t, o) {
			t.Error("an object that was just opened is not current")
		}
		change()
		if isCurrent(t, o) {
			t.Errorf("an object that was %s is still current", name)
		}
	}
	f.Put(path, "bytes")
	o := f.opened(t, path)
	f.Drop(path)
	if err := o.Settle(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Settle without an object: %v", err)
	}
}

func isCurrent(t *testing.T, o source.Object) bool {
	t.Helper()
	is, err := o.IsCurrent(t.Context())
	if err != nil {
		t.Error(err)
	}
	return is
}

func testStorage(t *testing.T, f Fixture) {
	path := f.Join("folder", "a.tif")
	f.Put(path, "bytes")
	f.opened(t, path)
	if of := f.Store.Storage(path); of == "" || f.Store.Storage(f.Join("folder", "b.tif")) != of {
		t.Errorf("the storage of %s is %q", path, of)
	}
}

func testSiblings(t *testing.T, f Fixture) {
	path, mask := f.Join("folder", "a.tif"), f.Join("folder", "a.tif.msk")
	f.Put(f.Join("folder", "a.tif.ovr", "inside"), "")
	for _, test := range []struct {
		name   string
		change func()
		want   bool
	}{
		{"nothing", func() {}, true},
		{"one that was not asked for", func() { f.Put(f.Join("folder", "b.tif"), "bytes") }, true},
		{"one grew", func() { f.Put(mask, "a longer mask") }, false},
		{"one was removed", func() { f.Drop(mask) }, false},
		{"one appeared", func() { f.Put(f.Join("folder", "a.tfw"), "1") }, false},
	} {
		f.Put(path, "bytes")
		f.Put(mask, "mask")
		o := f.opened(t, path)
		sibling, err := o.Sibling(t.Context(), "a.tif.msk")
		if err != nil {
			t.Fatal(err)
		}
		wantAnswer(t, sibling, []byte("mask"), []source.Range{{Length: 4}})
		if err := sibling.Close(); err != nil {
			t.Error(err)
		}
		for _, name := range []string{"a.tfw", "a.tif.ovr"} { // the latter is a folder
			if s, err := o.Sibling(t.Context(), name); s != nil || !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %s: got %v, %v", test.name, name, s, err)
			}
		}
		if test.change(); isCurrent(t, o) != test.want {
			t.Errorf("%s: current %t, want %t", test.name, !test.want, test.want)
		}
	}
}

func testSiblingNames(t *testing.T, f Fixture) {
	path := f.Join("folder", "a.tif")
	f.Put(path, "bytes")
	f.Put(f.Join("folder", "sub", "a"), "bytes")
	f.Put(f.Join("a"), "bytes")
	o := f.opened(t, path)
	for _, name := range []string{"", ".", "..", "../a", "/etc/passwd", "sub/a"} {
		if s, err := o.Sibling(t.Context(), name); s != nil || err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: got %v and %v, want an error", name, s, err)
		}
	}
}

func testIdentities(t *testing.T, f Fixture) {
	seen := make(map[string]string)
	for _, put := range []struct{ folder, data string }{{"a", "bytes"}, {"b", "bytes"}, {"a", "other"}} {
		path := f.Join(put.folder, "same.tif")
		f.Put(path, put.data)
		id, err := f.opened(t, path).Identity(t.Context())
		if again, err := f.opened(t, path).Identity(t.Context()); again != id || err != nil {
			t.Errorf("identities %s and %s, %v", id, again, err)
		}
		if other := seen[id]; other != "" || id == "" || err != nil {
			t.Errorf("%v has the identity %q (%v), as has %q", put, id, err, other)
		}
		seen[id] = put.folder + put.data
	}
}
