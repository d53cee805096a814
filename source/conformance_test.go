package source_test

import (
	"path"
	"testing"
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
