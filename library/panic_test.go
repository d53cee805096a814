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
		breaks func(s *libraryTest) (mend func())
		logged string
	}{
		"in a scan": {func(s *libraryTest) func() {
			isRaster, isMended := s.Library.IsRaster, new(atomic.Bool)
			s.Library.IsRaster = func(name string) bool {
				if !isMended.Load() {
					panic("no names")
				}
				return isRaster(name)
			}
			return func() { isMended.Store(true) }
		}, "panic in the scan of a folder"},
		"in a reload": {func(s *libraryTest) func() {
			s.reload = func(context.Context) error { panic("no settings") }
			s.signals <- os.Interrupt
			return func() { s.reload = nil }
		}, "panic while watching files"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newLibraryTest(t, "a.tif")
				s.mustStart(desire())
				defer s.keepWatching()()
				mend := test.breaks(s)
				wait(3 * rescan)
				s.wantServed("after the panic", "a")
				if got := s.log.String(); !strings.Contains(got, test.logged) || !strings.Contains(got, "stack=") {
					t.Errorf("the log: %s", got)
				}
				mend()
				s.put("b.tif", 0)
				wait(3 * rescan)
				s.wantServed("afterwards", "a b")
			})
		})
	}
}
