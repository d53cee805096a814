package library

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/style"
)

// hangOpens makes the opening of files of a storage wait until resume is called, before they are opened
// or afterwards.
func (s *libraryTest) hangOpens(storage string, isOpen bool) (resume func()) {
	hanging, open := make(chan struct{}), s.Library.Open
	s.Library.Open = func(a dataset.Address, options dataset.Options) layer.Open {
		openFile := open(a, options)
		if !strings.HasPrefix(a.Path, storage+"/") {
			return openFile
		}
		return func(ctx context.Context) (opened *layer.Dataset, err error) {
			if isOpen {
				opened, err = openFile(ctx)
			}
			select {
			case <-hanging:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			if !isOpen {
				opened, err = openFile(ctx)
			}
			return opened, err
		}
	}
	return func() { close(hanging) }
}

// startWithNFS starts with a folder on a storage. No opening of its files ends until resume is called.
func (s *libraryTest) startWithNFS(isOpen bool, names ...string) (d Desired, resume func()) {
	s.t.Helper()
	for _, name := range names {
		s.files.Put("/nfs/"+name, nil, time.Hour)
	}
	resume = s.hangOpens("/nfs", isOpen)
	d = desire()
	d.Paths = append([]Path{{Text: "/nfs"}}, d.Paths...)
	began := time.Now()
	s.mustStart(d)
	if took := time.Since(began); took > maxStartWait+openPatience {
		s.t.Errorf("the start took %v", took)
	}
	s.reload = func(ctx context.Context) error { return s.Apply(ctx, d) }
	return d, resume
}

// While the files of a storage cannot be opened, those of others are, at the start and later.
func TestAStorageThatStallsDelaysTheOpeningOfNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLibraryTest(t, "a.tif", "b.tif")
		var names []string
		for i := range 3 * maxParallelOpens {
			names = append(names, fmt.Sprintf("%02d.tif", i))
		}
		_, resume := s.startWithNFS(false, names...)
		s.wantServed("at the start", "a b")
		defer s.keepWatching()()
		s.put("c.tif", time.Hour)
		wait(rescan)
		s.wantServed("with a new file", "a b c")
		s.signals <- os.Interrupt
		synctest.Wait()
		s.put("d.tif", time.Hour)
		wait(rescan)
		s.wantServed("after a reload", "a b c d")
		if s.Ready() == nil {
			t.Error("it is ready before all files are opened")
		}
		resume()
		wait(openPatience)
		s.wantServed("when the storage answers", "00 01 02 03 04 05 06 07 08 09 10 11 a b c d")
		for _, name := range names {
			if got := s.times("/nfs/" + name); got != 1 {
				t.Errorf("%s was opened %d times", name, got)
			}
		}
		if err := s.Ready(); err != nil {
			t.Error(err)
		}
	})
}

// What is opened for a layer that is removed or changed meanwhile is closed.
func TestALayerThatChangesWhileItsFileIsOpened(t *testing.T) {
	gray := []style.Named{{Name: "gray", Style: bands(0).Style}}
	for name, test := range map[string]struct {
		change       func(*libraryTest, *Desired)
		want         string
		opens, stays int
	}{
		"nothing changes":        {func(*libraryTest, *Desired) {}, "n a", 1, 1},
		"its file is removed":    {func(s *libraryTest, _ *Desired) { s.files.Remove("/nfs/n.tif") }, "a", 1, 0},
		"its path is removed":    {func(_ *libraryTest, d *Desired) { d.Paths = d.Paths[1:] }, "a", 1, 0},
		"it may show less":       {func(_ *libraryTest, d *Desired) { d.Paths[0].Access.Strangers.Formats = []string{"png"} }, "n a", 2, 1},
		"it gets another style":  {func(_ *libraryTest, d *Desired) { d.Shared = Shared{Styles: gray, Written: "gray"} }, "n a", 2, 1},
		"it gets other settings": {func(_ *libraryTest, d *Desired) { d.Paths[1].Access.Strangers.Formats = []string{"png"} }, "n a", 1, 1},
	} {
		for _, isOpen := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, is open %v", name, isOpen), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newLibraryTest(t, "a.tif")
					d, resume := s.startWithNFS(isOpen, "n.tif")
					s.reload = func(ctx context.Context) error {
						next := d
						next.Paths = append([]Path(nil), d.Paths...)
						test.change(s, &next)
						return s.Apply(ctx, next)
					}
					defer s.keepWatching()()
					s.signals <- os.Interrupt
					synctest.Wait()
					resume()
					wait(rescan)
					s.wantServed("at the end", test.want)
					if opens, stays := s.times("/nfs/n.tif"), s.held["/nfs/n.tif"]; opens != test.opens || stays != test.stays {
						t.Errorf("it was opened %d times, and %d are not closed", opens, stays)
					}
				})
			})
		}
	}
}
