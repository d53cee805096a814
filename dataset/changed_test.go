package dataset

import (
	"errors"
	"testing"
	"time"

	"tileserver/raster"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// A file that is replaced while it is opened has changed. It is no file that cannot be read.
func TestAFileThatChangesWhileItIsOpened(t *testing.T) {
	store := sourcetest.NewStore()
	store.Put("test://disk/a.tif", []byte("II*\x00"), time.Hour)
	o := NewOpener(Config{Files: store, Workers: 1, InFlight: 16 << 20})
	open := o.Layer(Address{Path: "test://disk/a.tif", Number: 1}, Options{ID: "a"}).Open
	if _, err := open(t.Context()); err == nil || errors.Is(err, raster.ErrChanged) {
		t.Errorf("a file that is no picture: %v", err)
	}
	store.Fail("test://disk/a.tif", source.ErrChanged)
	if _, err := open(t.Context()); !errors.Is(err, raster.ErrChanged) {
		t.Errorf("a file that changes: %v", err)
	}
}
