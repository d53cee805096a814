package admission_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
)

// ofBytes returns a dear work that needs some memory.
func ofBytes(bytes int64) admission.Work {
	return admission.Work{Group: "a", Cost: dearCost, Bytes: bytes}
}

// A view that does not fit beside a build waits for it. Smaller ones pass it meanwhile, but no other
// build, or it would have to wait for one after the other.
func TestAViewThatWaitsForABuildIsPassedByViews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Dear: 1, Queue: 100, Memory: 100})
		build := admission.Work{Purpose: admission.OverviewBuild, Group: "build", Cost: time.Hour, Bytes: 50}
		c.start(t.Context(), "build", build)
		c.start(t.Context(), "large", ofBytes(55))
		build.Group, build.Bytes = "next", 25
		c.start(t.Context(), "next build", build)
		for range 3 {
			c.start(t.Context(), "small", ofBytes(10))
		}
		time.Sleep(time.Minute)
		c.wantEntered("build", "small", "small", "small")
		time.Sleep(time.Hour)
		c.wantEntered("build", "small", "small", "small", "large", "next build")
		c.end()
	})
}

// Views of a file that stalls hold their memory. Others get memory nevertheless, and some of it is left
// for cheap work.
func TestViewsThatStallLeaveMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 8, Dear: 1, Queue: 100, Memory: 160})
		mayResume := make(chan struct{})
		for file := range 3 {
			stalled := ofBytes(40)
			stalled.Sources = []admission.Source{{Name: fmt.Sprint(file)}}
			c.stall(stalled, mayResume, 0)
			time.Sleep(time.Minute)
		}
		c.start(t.Context(), "too large", ofBytes(21))
		c.start(t.Context(), "dear", ofBytes(20))
		c.start(t.Context(), "cheap", admission.Work{Cost: time.Millisecond, Bytes: 20})
		c.wantEntered("dear", "cheap")
		close(mayResume)
		c.end()
		c.wantEntered("dear", "cheap", "too large")
	})
}

// Tiles of a file that stalls hold their memory. A view that needs it keeps no memory free meanwhile, and
// smaller views pass it.
func TestTilesThatStallLetNobodyWaitForAView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 8, Dear: 1, Queue: 100, Memory: 160})
		stalled, mayResume := of("file"), make(chan struct{})
		stalled.Bytes = 40
		c.stall(stalled, mayResume, 0)
		c.start(t.Context(), "large", ofBytes(130))
		c.start(t.Context(), "tile", cheap("b"))
		c.wantEntered()
		time.Sleep(2 * time.Second) // the tile is overdue
		c.wantEntered("tile")
		c.start(t.Context(), "small", ofBytes(80))
		c.start(t.Context(), "tile", cheap("b"))
		c.wantEntered("tile", "small", "tile")
		close(mayResume)
		c.end()
		c.wantEntered("tile", "small", "tile", "large")
	})
}

// A view that waits for the memory of a build holds up no other build while its file is slow. Another
// view does.
func TestAViewOfASlowFileHoldsUpNoBuild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Dear: 2, Queue: 100, Memory: 100})
		build := func(group string, bytes int64, cost time.Duration) {
			c.start(t.Context(), group, admission.Work{Purpose: admission.OverviewBuild, Group: group, Cost: cost, Bytes: bytes})
		}
		build("build", 50, time.Hour)
		stalled, mayResume := ofBytes(5), make(chan struct{})
		stalled.Sources = []admission.Source{{Name: "file"}}
		c.stall(stalled, mayResume, 0)
		large := ofBytes(55)
		large.Sources = stalled.Sources
		c.start(t.Context(), "large", large)
		build("next build", 10, time.Second)
		c.wantEntered("build")
		time.Sleep(time.Minute) // the file is slow
		c.wantEntered("build", "next build")
		c.start(t.Context(), "other", ofBytes(55))
		build("last build", 10, time.Second)
		c.start(t.Context(), "small", ofBytes(5))
		c.wantEntered("build", "next build", "small")
		close(mayResume)
		c.end()
	})
}
