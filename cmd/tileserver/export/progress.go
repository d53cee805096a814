package export

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"tileserver/export"
)

// How often progress is told: on a terminal, where each line replaces the last, and in a log.
const (
	terminalPause = time.Second
	logPause      = 30 * time.Second
)

// tell tells progress until end is called.
func (r *Run) tell(progress *export.Progress) (end func()) {
	t := &teller{to: r.Stderr, isTerminal: isTerminal(r.Stderr), began: time.Now(), progress: progress, overviews: r.Catalog.OverviewProgress}
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		t.run(ended)
	}()
	return func() {
		close(ended)
		<-done
	}
}

// isTerminal reports whether what is written is shown to a person at once.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// A teller writes lines about progress.
type teller struct {
	to         io.Writer
	isTerminal bool
	began      time.Time
	progress   *export.Progress
	overviews  func() map[string]float64
	width      int // of the last line on a terminal
}

func (t *teller) run(ended <-chan struct{}) {
	pause := logPause
	if t.isTerminal {
		pause = terminalPause
	}
	ticks := time.NewTicker(pause)
	defer ticks.Stop()
	for {
		select {
		case <-ended:
			t.write("")
			return
		case <-ticks.C:
			t.write(t.line())
		}
	}
}

// write writes a line. On a terminal, an empty one wipes the last.
func (t *teller) write(line string) {
	switch {
	case t.isTerminal && t.width+len(line) > 0:
		fmt.Fprintf(t.to, "\r%-*s\r%s", t.width, "", line)
		t.width = len(line)
	case !t.isTerminal && line != "":
		fmt.Fprintln(t.to, line)
	}
}

// line tells how far the export is.
func (t *teller) line() string {
	s := t.progress.Snapshot()
	if s.ToJoin > 0 {
		return fmt.Sprintf("joining: %d of %d tiles, %s", s.Joined, s.ToJoin, percent(s.Joined, s.ToJoin))
	}
	if s.Total == 0 {
		return t.overviewLine()
	}
	done := s.Kept + s.Made
	line := fmt.Sprintf("%d of %d tiles, %s", done, s.Total, percent(done, s.Total))
	if took := time.Since(t.began).Seconds(); s.Made > 0 && took > 0 {
		rate := float64(s.Made) / took
		left := time.Duration(float64(s.Total-done) / rate * float64(time.Second))
		line += fmt.Sprintf(", %.0f tiles/s, %v left", rate, left.Round(time.Second))
	}
	return line
}

// overviewLine tells how far the overviews are that files lack.
func (t *teller) overviewLine() string {
	var parts []string
	for _, fraction := range t.overviews() {
		parts = append(parts, percent(int64(fraction*1000), 1000))
	}
	if len(parts) == 0 {
		return "opening"
	}
	return "building overviews: " + strings.Join(parts, ", ")
}

func percent(part, all int64) string { return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(all)) }
