package admin

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/layer"
)

// statsOf returns the state of a catalog with a gate.
func statsOf(g *admission.Gate) layer.Stats {
	s := layer.Stats{Admission: g.Stats()}
	s.Working, s.Waiting = g.Load()
	return s
}

// probe asks the watchdog every ten seconds, as Kubernetes does, and returns after how long it barked.
func probe(w *watchdog, g *admission.Gate, during time.Duration) (barked time.Duration) {
	for began := time.Now(); time.Since(began) < during; time.Sleep(10 * time.Second) {
		if w.check(statsOf(g)) != nil {
			return time.Since(began)
		}
	}
	return 0
}

func TestTheWatchdogNoticesThatNothingIsFinished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const patience = 5 * time.Minute
		g, w := admission.New(admission.Config{Cheap: 1, Dear: 1, Queue: 10}), &watchdog{patience: patience}
		if barked := probe(w, g, time.Hour); barked != 0 {
			t.Fatalf("it barks after %v, though nobody waits", barked)
		}
		_, leave, err := g.Enter(t.Context(), admission.Work{})
		if err != nil {
			t.Fatal(err)
		}
		if barked := probe(w, g, time.Hour); barked != 0 {
			t.Fatalf("it barks after %v, though nobody waits for the one that works", barked)
		}
		waiting, cancel := context.WithCancel(t.Context())
		for range 2 {
			go func() {
				if _, leave, err := g.Enter(waiting, admission.Work{}); err == nil {
					leave()
				}
			}()
		}
		synctest.Wait()
		if barked := probe(w, g, time.Hour); barked != patience {
			t.Errorf("it barks after %v, want %v", barked, patience)
		}
		leave()
		synctest.Wait()
		if err := w.check(statsOf(g)); err != nil {
			t.Errorf("when all is done: %v", err)
		}
		cancel()
	})
}

// A server whose every picture takes long is slow, but not stuck.
func TestTheWatchdogLetsASlowServerBe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, w := admission.New(admission.Config{Cheap: 1, Dear: 1, Queue: 100}), &watchdog{patience: 5 * time.Minute}
		for range 30 {
			go func() {
				_, leave, err := g.Enter(t.Context(), admission.Work{})
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(2 * time.Minute)
				leave()
			}()
		}
		synctest.Wait()
		if barked := probe(w, g, 50*time.Minute); barked != 0 {
			t.Errorf("it barks after %v", barked)
		}
		time.Sleep(time.Hour)
	})
}

// Without patience it never barks. Probes that come rarely do not make it bark early.
func TestTheWatchdogJudgesOnlyWhatItSees(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := admission.New(admission.Config{Cheap: 1, Dear: 1, Queue: 10})
		_, leave, err := g.Enter(t.Context(), admission.Work{})
		if err != nil {
			t.Fatal(err)
		}
		rare, none := &watchdog{patience: time.Minute}, &watchdog{}
		rare.check(statsOf(g))
		time.Sleep(time.Hour)
		go func() {
			if _, leave, err := g.Enter(t.Context(), admission.Work{}); err == nil {
				leave()
			}
		}()
		synctest.Wait()
		if err := rare.check(statsOf(g)); err != nil {
			t.Errorf("one that has just come: %v", err)
		}
		if barked := probe(none, g, time.Hour); barked != 0 {
			t.Errorf("without patience it barks after %v", barked)
		}
		leave()
	})
}
