package main

import (
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"tileserver/source/credential"
)

// skews tells of services that have another time than the machine, whose clock should be set.
type skews struct {
	stderr io.Writer
	logger atomic.Pointer[slog.Logger] // of the server, once there is one
}

// logTo has the log told, rather than the error output.
func (s *skews) logTo(logger *slog.Logger) {
	if s != nil { // no service is asked
		s.logger.Store(logger)
	}
}

// clockOf returns the clock of a service.
func (s *skews) clockOf(prefix string) *credential.Clock {
	return &credential.Clock{OnSkew: func(ahead time.Duration) {
		if logger := s.logger.Load(); logger != nil {
			logger.Warn("clock differs from that of a service, requests are signed with its time", "prefix", prefix, "ahead", ahead)
			return
		}
		fmt.Fprintf(s.stderr, "the clock of %s is %v ahead of this machine's; requests are signed with its time\n", prefix, ahead)
	}}
}
