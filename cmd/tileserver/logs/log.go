// Package logs writes the log of a server without ever making the server wait for its reader. Package
// main of tileserver opens the log, and everything else gets its logger. The package owns the lines
// that are not written yet. It must never know what a line says.
//
// Words: a line is *queued* until it is written; a line for which the queue has no room is *lost*.
package logs

import (
	"io"
	"log/slog"
	"time"
)

// A Log is the log of a server. Until the server serves, lines are written before the call returns,
// so that none about its start is lost. From then on they are queued.
type Log struct {
	*slog.Logger
	queue *queue
}

// New returns a log on a writer, with lines in the format of a handler.
func New(to io.Writer, format func(io.Writer) slog.Handler) *Log {
	q := &queue{to: to, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	direct := slog.New(format(to))
	q.reportLost = func(lines int64) {
		direct.Warn("log lines were lost, because the log was not read in time", "lines", lines)
	}
	return &Log{slog.New(format(q)), q}
}

// Serve queues lines from now on. The caller closes the log.
func (l *Log) Serve() { l.queue.serve() }

// Lost returns how many lines were lost.
func (l *Log) Lost() int64 { return l.queue.lost.Load() }

// Close writes what is queued, for as long as allowed. Later lines are lost.
func (l *Log) Close(allowed time.Duration) { l.queue.close(allowed) }
