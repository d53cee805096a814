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
