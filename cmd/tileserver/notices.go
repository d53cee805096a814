package main

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"tileserver/cmd/tileserver/usage"
	"tileserver/source/credential"
)

// notices tells operators what stores on the web come to know: in the log of the server once there is one, and in the
// error output of a command.
type notices struct {
	stderr io.Writer
	logger atomic.Pointer[slog.Logger]
}

// logTo has the log told, rather than the error output.
func (n *notices) logTo(logger *slog.Logger) {
	if n != nil { // nothing is on the web
		n.logger.Store(logger)
	}
}

// warn tells a message with names and values.
func (n *notices) warn(message string, details ...any) {
	if logger := n.logger.Load(); logger != nil {
		logger.Warn(message, details...)
		return
	}
	var line strings.Builder
	line.WriteString(message)
	for i := 0; i+1 < len(details); i += 2 {
		fmt.Fprintf(&line, ", %v %v", details[i], details[i+1])
	}
	fmt.Fprintln(n.stderr, usage.WithoutControls(line.String()))
}

// clockOf returns the clock of a service. The machine's should be set if it differs.
func (n *notices) clockOf(prefix string) *credential.Clock {
	return &credential.Clock{OnSkew: func(ahead time.Duration) {
		n.warn("clock differs from that of a service, requests are signed with its time", "prefix", prefix, "ahead", ahead)
	}}
}
