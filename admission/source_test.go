package admission_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
)

// occupants counts works that are inside at a time.
type occupants struct {
	mu        sync.Mutex // guards the fields below
	now, most int
}

func (o *occupants) enter() (leave func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.now++
	o.most = max(o.most, o.now)
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.now--
	}
}

// The places of a source that stalls are given to others, and it gets no more than one at a time until
// it answers in time again.
func TestAStalledSourceStopsNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 2, Queue: 100})
		stalled, resume := admission.Work{Group: "a", Cost: 10 * time.Millisecond, Sources: []admission.Source{{Name: "disk"}}}, make(chan struct{})
		var inside occupants
		for range 6 {
			c.work.Go(func() {
				c.gate.Run(t.Context(), stalled, func(ctx context.Context) error {
					defer admission.Wait(ctx)()
					defer inside.enter()()
					<-resume
					return nil
				})
			})
			synctest.Wait()
		}
		c.start(t.Context(), "b", cheap("b"))
		c.wantEntered()
		time.Sleep(2 * time.Second) // both are overdue
		c.wantEntered("b")
		for range 3 {
			c.start(t.Context(), "b", cheap("b"))
			time.Sleep(time.Second)
		}
		c.wantEntered("b", "b", "b", "b")
		close(resume)
		c.end()
		if inside.most != 2 {
			t.Errorf("%d of the stalled source were inside at a time, want 2", inside.most)
		}
	})
}

// Works that wait for what another one reads from a stalled source give up their places too.
func TestWorkThatSharesAStalledReadStopsNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 4, Queue: 100})
		stalled, resume := admission.Work{Group: "a", Cost: 10 * time.Millisecond, Sources: []admission.Source{{Name: "disk"}}}, make(chan struct{})
		for reader := range 4 {
			c.work.Go(func() {
				c.gate.Run(t.Context(), stalled, func(ctx context.Context) error {
					if reader == 0 {
						defer admission.Wait(ctx)()
					}
					<-resume
					return nil
				})
			})
			synctest.Wait()
		}
		time.Sleep(3 * time.Second)
		for range 4 {
			c.start(t.Context(), "b", cheap("b"))
		}
		c.wantEntered("b", "b", "b", "b")
		close(resume)
		c.end()
	})
}

// Files on a storage that stalls get no more than a few places together. Those of another storage get
// theirs, and so does work that computes for long, whatever it reads.
func TestAStalledStorageIsBoundedAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 4, Queue: 100})
		of := func(file int, storage string) admission.Work {
			return admission.Work{Group: fmt.Sprint(storage, file), Cost: time.Millisecond, Sources: []admission.Source{{Name: fmt.Sprint(storage, file), Storage: storage}}}
		}
		resume := make(chan struct{})
		var inside occupants
		for file := range 40 {
			c.work.Go(func() {
				c.gate.Run(t.Context(), of(file, "nfs"), func(ctx context.Context) error {
					defer admission.Wait(ctx)()
					defer inside.enter()()
					<-resume
					return nil
				})
			})
			synctest.Wait()
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if slots, until := 4, 2; inside.now != slots+until || inside.most != inside.now { // until the third one is overdue
			t.Errorf("%d of the stalled storage are inside, want %d", inside.now, slots+until)
		}
		computing := of(0, "disk")
		computing.Cost = time.Hour / 1000
		for range 3 {
			c.start(t.Context(), "long", computing)
		}
		time.Sleep(time.Minute)
		c.start(t.Context(), "short", of(1, "disk"))
		close(resume)
		c.end()
		c.wantEntered("long", "long", "long", "short")
	})
}

// stall lets a work enter that waits for its source until it may resume, and then computes for a time.
func (c *crowd) stall(w admission.Work, mayResume <-chan struct{}, then time.Duration) {
	c.work.Go(func() {
		c.gate.Run(c.t.Context(), w, func(ctx context.Context) error {
			end := admission.Wait(ctx)
			<-mayResume
			end()
			time.Sleep(then)
			return nil
		})
	})
	synctest.Wait()
}

// of returns a cheap work that reads a file on an unknown storage.
func of(file string) admission.Work {
	return admission.Work{Group: file, Cost: 10 * time.Millisecond, Sources: []admission.Source{{Name: file}}}
}

// More files may stall than a lane can excuse works of. When some of these have ended, the others are
// excused in their place.
func TestExcusesArePassedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 1, Queue: 100})
		first, others := make(chan struct{}), make(chan struct{})
		for file := range 5 {
			mayResume := others
			if file == 0 {
				mayResume = first
			}
			c.stall(of(fmt.Sprint(file)), mayResume, 0)
			time.Sleep(2 * time.Second)
		}
		c.start(t.Context(), "sound", cheap("sound"))
		time.Sleep(time.Minute)
		c.wantEntered()
		close(first)
		c.wantEntered("sound")
		close(others)
		c.end()
	})
}

// A work that waited for its source and then computes needs its slot again.
func TestResumedWorkCountsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 1, Queue: 100})
		mayResume := make(chan struct{})
		c.stall(of("file"), mayResume, time.Minute)
		time.Sleep(2 * time.Second)
		c.start(t.Context(), "meanwhile", cheap("sound"))
		time.Sleep(time.Second)
		close(mayResume)
		synctest.Wait()
		c.start(t.Context(), "later", cheap("sound"))
		time.Sleep(50 * time.Second)
		c.wantEntered("meanwhile")
		c.end()
		c.wantEntered("meanwhile", "later")
	})
}

// Statistics and builds wait for a large file for hours in all. That is no stall, unless one read takes
// too long.
func TestBackgroundWorkMayWaitLongInAll(t *testing.T) {
	build := of("file")
	build.Purpose = admission.OverviewBuild
	for each, isStalled := range map[time.Duration]bool{5 * time.Second: false, time.Minute: true} {
		synctest.Test(t, func(t *testing.T) {
			c := newCrowd(t, admission.Config{Cheap: 4, Queue: 100})
			for range 2 { // the slots of builds
				c.work.Go(func() {
					c.gate.Run(t.Context(), build, func(ctx context.Context) error {
						for range 20 {
							end := admission.Wait(ctx)
							time.Sleep(each)
							end()
						}
						return nil
					})
				})
			}
			time.Sleep(30 * time.Second)
			other := of("other")
			other.Purpose = admission.OverviewBuild
			c.start(t.Context(), "other", other)
			if isStalled {
				c.wantEntered("other")
			} else {
				c.wantEntered()
			}
			c.end()
		})
	}
}

// While a build waits for a slow file, pictures of the file get a slot of their own lane.
func TestPicturesOfASlowFileDoNotWaitForItsBuild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 4, Queue: 100})
		build, mayResume := of("file"), make(chan struct{})
		build.Purpose = admission.OverviewBuild
		c.stall(build, mayResume, 0)
		time.Sleep(time.Minute)
		c.start(t.Context(), "tile", of("file"))
		c.wantEntered("tile")
		close(mayResume)
		c.end()
	})
}

// A stack of files on one storage waits once for it, and does not make the storage slow by itself.
func TestAStackCountsOnceForItsStorage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 4, Queue: 100})
		stack, mayResume := of("0"), make(chan struct{})
		for file := range 3 {
			stack.Sources = append(stack.Sources, admission.Source{Name: fmt.Sprint(file), Storage: "disk"})
		}
		c.stall(stack, mayResume, 0)
		time.Sleep(2 * time.Second)
		for _, file := range []string{"4", "5"} {
			other := of(file)
			other.Sources[0].Storage = "disk"
			c.start(t.Context(), file, other)
		}
		c.wantEntered("4", "5")
		close(mayResume)
		c.end()
	})
}

// A stack takes the turn of its lowest layer. While another one of its layers stalls, tiles of the
// lowest pass the stack.
func TestAStackThatIsHeldUpIsPassedByItsLayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, admission.Config{Cheap: 2, Queue: 100})
		mayResume := make(chan struct{})
		c.stall(of("top"), mayResume, 0)
		time.Sleep(2 * time.Second)
		stack := of("lowest")
		stack.Sources = append(stack.Sources, of("top").Sources...)
		c.start(t.Context(), "stack", stack)
		c.start(t.Context(), "tile", of("lowest"))
		c.wantEntered("tile")
		close(mayResume)
		c.end()
		c.wantEntered("tile", "stack")
	})
}
