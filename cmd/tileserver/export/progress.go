package export

import (
	"fmt"
	"strings"
	"time"

	telling "tileserver/cmd/tileserver/progress"
	"tileserver/export"
)

// tell tells progress until end is called.
func (r *Run) tell(progress *export.Progress) (end func()) {
	t := &teller{began: time.Now(), progress: progress, overviews: r.Catalog.OverviewProgress}
	return telling.Tell(r.Stderr, t.line)
}

// A teller tells how far an export is.
type teller struct {
	began     time.Time
	progress  *export.Progress
	overviews func() map[string]float64
}

// line tells how far the export is.
func (t *teller) line() string {
	s := t.progress.Snapshot()
	if s.ToJoin > 0 {
		return fmt.Sprintf("joining: %d of %d tiles, %s", s.Joined, s.ToJoin, telling.Percent(s.Joined, s.ToJoin))
	}
	if s.Total == 0 {
		return t.overviewLine()
	}
	return telling.Count{Things: "tiles", Done: s.Kept + s.Made, Made: s.Made, Total: s.Total}.After(time.Since(t.began))
}

// overviewLine tells how far the overviews are that files lack.
func (t *teller) overviewLine() string {
	var parts []string
	for _, fraction := range t.overviews() {
		parts = append(parts, telling.Percent(int64(fraction*1000), 1000))
	}
	if len(parts) == 0 {
		return "opening"
	}
	return "building overviews: " + strings.Join(parts, ", ")
}
