package admin

import (
	"fmt"
	"sync"
	"time"

	"tileserver/admission"
	"tileserver/layer"
)

// watchdog notices when no picture is finished while others wait. Each probe of /healthz shows it the
// state of the catalog, so it has no goroutine that could be stuck itself.
type watchdog struct {
	patience time.Duration // 0 notices nothing

	mu      sync.Mutex // guards the fields below
	entered int64      // answers that had begun at the last probe
	stuck   time.Time  // the first probe since which some wait and none has begun; zero if none wait
}

// check returns an error if answers have waited for longer than the watchdog's patience, and none of
// them could begin. One can as soon as another is finished, or fails.
func (w *watchdog) check(stats layer.Stats) error {
	entered := int64(0)
	for _, l := range stats.Admission.Lanes {
		if l.Lane <= admission.Dear { // the lanes of answers
			entered += l.Entered
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case stats.Waiting == 0:
		w.stuck = time.Time{}
	case w.stuck.IsZero(), entered != w.entered:
		w.stuck = time.Now()
	}
	w.entered = entered
	if w.patience == 0 || w.stuck.IsZero() || time.Since(w.stuck) < w.patience {
		return nil
	}
	return fmt.Errorf("no picture was finished for %v, and %d wait", time.Since(w.stuck).Round(time.Second), stats.Waiting)
}
