package main

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Who runs a command or a server learns that the clock of a service is another one.
func TestAnotherClockIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // whose time is of whole seconds, as dates are
		var stderr, log bytes.Buffer
		told := &notices{stderr: &stderr}
		learn := func(prefix string) {
			if !told.clockOf(prefix).Learn(http.Header{"Date": {time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}}) {
				t.Error("the time is not learned")
			}
		}
		learn("s3://")
		told.logTo(slog.New(slog.NewTextHandler(&log, nil)))
		learn("az://maps")
		if !strings.Contains(stderr.String(), "prefix s3://, ahead 1h0m0s") || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("the output is %s", &stderr)
		}
		if !strings.Contains(log.String(), "prefix=az://maps ahead=1h0m0s") || strings.Count(log.String(), "\n") != 1 {
			t.Errorf("the log is %s", &log)
		}
		(*notices)(nil).logTo(slog.Default())
	})
}
