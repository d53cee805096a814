package library

import (
	"context"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// A bug in the work beside requests ends neither the server nor the watching of files.
func TestAPanicWhileWatchingDoesNotEndTheServer(t *testing.T) {
	for name, test := range map[string]struct {
		arrange func(s *libraryTest) (breaks, mends func())
		logged  string
	}{
		"in a scan": {func(s *libraryTest) (breaks, mends func()) {
			isRaster, isBroken := s.Library.IsRaster, new(atomic.Bool)
			s.Library.IsRaster = func(name string) bool {
				if isBroken.Load() {
					panic("no names")
				}
				return isRaster(name)
			}
			return func() { isBroken.Store(true) }, func() { isBroken.Store(false) }
		}, "panic in the scan of a folder"},
		"in a reload": {func(s *libraryTest) (breaks, mends func()) {
			s.reload = func(context.Context) error { panic("no settings") }
			return func() { s.signals <- os.Interrupt }, func() {}
		}, "panic while watching files"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newLibraryTest(t, "a.tif")
				s.mustStart(desire())
				breaks, mends := test.arrange(s)
				defer s.keepWatching()()
				breaks()
				wait(3 * rescan)
				s.wantServed("after the panic", "a")
				if got := s.log.String(); !strings.Contains(got, test.logged) || !strings.Contains(got, "stack=") {
					t.Errorf("the log: %s", got)
				}
				mends()
				s.put("b.tif", 0)
				wait(3 * rescan)
				s.wantServed("afterwards", "a b")
			})
		})
	}
}
