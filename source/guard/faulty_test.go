package guard_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
	"tileserver/source/guard"
	"tileserver/source/sourcetest"
)

// answered is the read of an object that its storage answers, with an error or without.
func answered(failure error) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := source.Reach(ctx); err != nil {
			return err
		}
		return failure
	}
}

// faults has the objects of a storage that fail. Others are well.
type faults map[string]bool

// storeWith returns a store whose objects nfs/0.tif to nfs/3.tif are open.
func (f faults) storeWith(t *testing.T, log *bytes.Buffer) (s *guard.Store, objects map[string]source.Object) {
	t.Helper()
	inner := &faultyStore{sourcetest.NewStore(), f}
	s = guard.Wrap(inner, guard.Config{Timeout: timeout, Logger: newLogger(log)})
	objects = make(map[string]source.Object)
	for _, path := range []string{"nfs/0.tif", "nfs/1.tif", "nfs/2.tif", "nfs/3.tif"} {
		inner.Put(path, []byte("the bytes"), time.Hour)
		o, err := s.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		objects[path] = o
	}
	return s, objects
}

type faultyStore struct {
	*sourcetest.Store
	faults faults
}

func (s *faultyStore) Open(ctx context.Context, path string) (source.Object, error) {
	opened, err := s.Store.Open(ctx, path)
	return &scriptedObject{opened, &scripted{s.Store, func(ctx context.Context) error {
		if s.faults[path] {
			return answered(source.ErrObjectStalled)(ctx)
		}
		return answered(nil)(ctx)
	}}}, err
}

// One object that fails is left alone, however often it is asked for. It takes no other with it, and it comes back.
func TestAnObjectThatFailsFailsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		broken := faults{"nfs/0.tif": true}
		s, objects := broken.storeWith(t, &log)
		refused := 0
		for range 100 {
			stalled := new(guard.StalledError)
			if err := read(t.Context(), objects["nfs/0.tif"]); !errors.As(err, &stalled) {
				t.Fatalf("the object that fails: %v", err)
			}
			if stalled.Wait > 0 {
				refused++
			}
		}
		if refused != 95 {
			t.Errorf("%d of 100 reads of an object that fails were refused at once", refused)
		}
		if err := read(t.Context(), objects["nfs/1.tif"]); err != nil {
			t.Errorf("another object: %v", err)
		}
		if status := s.Storages()[0]; status.IsAway || status.Failures != 5 || status.Refused != 95 {
			t.Errorf("the storage is %+v", status)
		}
		delete(broken, "nfs/0.tif")
		time.Sleep(firstPause)
		for range 2 {
			if err := read(t.Context(), objects["nfs/0.tif"]); err != nil {
				t.Errorf("later: %v", err)
			}
		}
		if text := log.String(); strings.Count(text, "\n") != 2 || strings.Count(text, "object=nfs/0.tif") != 2 {
			t.Errorf("the log: %s", text)
		}
	})
}

// Several objects that fail while others are read from the storage leave it where it is.
func TestObjectsThatFailWhileOthersAreWell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, objects := faults{"nfs/0.tif": true, "nfs/1.tif": true}.storeWith(t, new(bytes.Buffer))
		for range 50 {
			_ = read(t.Context(), objects["nfs/0.tif"])
			_ = read(t.Context(), objects["nfs/1.tif"])
			if err := read(t.Context(), objects["nfs/2.tif"]); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		if status := s.Storages()[0]; status.IsAway {
			t.Errorf("the storage is %+v", status)
		}
	})
}

// A storage that fails for all objects is away, and its objects come back with it.
func TestAStorageThatFailsForAllObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := faults{"nfs/0.tif": true, "nfs/1.tif": true, "nfs/2.tif": true, "nfs/3.tif": true}
		s, objects := broken.storeWith(t, new(bytes.Buffer))
		for range 2 {
			for _, o := range objects {
				_ = read(t.Context(), o)
			}
		}
		if !s.Storages()[0].IsAway {
			t.Error("the storage is not away")
		}
		clear(broken)
		time.Sleep(firstPause)
		for path, o := range objects {
			if err := read(t.Context(), o); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
}

// A storage that says when to come back is not away, and callers learn when.
func TestAStorageThatAsksForPatience(t *testing.T) {
	inner := &scripted{sourcetest.NewStore(), func(context.Context) error { return &source.HeldError{Reason: "later", Wait: time.Minute} }}
	inner.Put("nfs/a.tif", []byte("the bytes"), time.Hour)
	s := guard.Wrap(inner, guard.Config{Timeout: timeout})
	o, err := s.Open(t.Context(), "nfs/a.tif")
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		held := (*source.HeldError)(nil)
		if err := read(t.Context(), o); !errors.As(err, &held) || held.Wait != time.Minute {
			t.Fatal(err)
		}
	}
	if status := s.Storages()[0]; status.IsAway || status.Failures != 0 {
		t.Errorf("the storage is %+v", status)
	}
}
