package source_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
	"tileserver/source/sourcetest"
)

func TestBytesConform(t *testing.T) {
	sourcetest.Run(t, func(_ *testing.T, data []byte) source.Source { return source.NewBytes("object", data) })
}

func TestFakeConforms(t *testing.T) {
	sourcetest.Run(t, func(_ *testing.T, data []byte) source.Source { return sourcetest.NewFake(data) })
}

func TestBytesVersionDependsOnContent(t *testing.T) {
	one, same, other := source.NewBytes("a", []byte("x")), source.NewBytes("b", []byte("x")), source.NewBytes("a", []byte("y"))
	if one.Version() != same.Version() || one.Version() == other.Version() {
		t.Errorf("versions of x, x, y: %s, %s, %s", one.Version(), same.Version(), other.Version())
	}
}

func TestFakeStoreConforms(t *testing.T) {
	sourcetest.RunStore(t, func(*testing.T) sourcetest.Fixture {
		s := sourcetest.NewStore()
		return sourcetest.Fixture{
			Store: s, Join: path.Join, Drop: s.Remove,
			Put: func(path, data string) { s.Put(path, []byte(data), time.Hour) },
		}
	})
}

// One path that hangs does not delay the others.
func TestStatesOfManyPaths(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sourcetest.NewStore()
		var paths []string
		for i := range 100 {
			paths = append(paths, fmt.Sprintf("disk/%d.tif", i))
			if i%2 == 0 {
				s.Put(paths[i], make([]byte, i), time.Hour)
			}
		}
		paths[50] = "nfs/a.tif"
		resume := s.Hang("nfs")
		time.AfterFunc(time.Second, resume)
		for i, found := range source.StatAll(t.Context(), s, paths) {
			if isThere := i%2 == 0 && i != 50; isThere && found.Size != int64(i) || isThere != (found.Err == nil) || !isThere && !errors.Is(found.Err, fs.ErrNotExist) {
				t.Errorf("%s has %d bytes, %v", paths[i], found.Size, found.Err)
			}
		}
	})
}
