// Package progress writes lines about work that takes long: how much is done, how fast, and how long the
// rest will take. Commands export and pyramid call it. It must never know what the work is.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"
)

// How often progress is told: on a terminal, where each line replaces the last, and in a log.
const (
	terminalPause = time.Second
	logPause      = 30 * time.Second
)

// Lines are the lines about one work.
type Lines struct {
	To         io.Writer
	IsTerminal bool
	Line       func() string

	width int // of the last line on a terminal
}

// Tell writes lines about work until end is called.
func Tell(to io.Writer, line func() string) (end func()) {
	lines := &Lines{To: to, IsTerminal: isTerminal(to), Line: line}
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		lines.Run(ended)
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

// Run writes lines until ended is closed.
func (l *Lines) Run(ended <-chan struct{}) {
	pause := logPause
	if l.IsTerminal {
		pause = terminalPause
	}
	ticks := time.NewTicker(pause)
	defer ticks.Stop()
	for {
		select {
		case <-ended:
			l.write("")
			return
		case <-ticks.C:
			l.write(l.Line())
		}
	}
}

// write writes a line. On a terminal, an empty one wipes the last.
func (l *Lines) write(line string) {
	switch {
	case l.IsTerminal && l.width+len(line) > 0:
		fmt.Fprintf(l.To, "\r%-*s\r%s", l.width, "", line)
		l.width = len(line)
	case !l.IsTerminal && line != "":
		fmt.Fprintln(l.To, line)
	}
}
