package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
)

// A view that would come after its deadline is refused, or only logged.
func TestShadowAdmissionLogsWhatWouldBeRefused(t *testing.T) {
	const line = `level=INFO msg="would be refused" lane=dear layer=late cost=2s wait=1s`
	for _, isShadow := range []string{"false", "true"} {
		c, err := new(program).serverConfig("serve", []string{"--workers", "1", "--shadow-admission", isShadow})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			gate := admission.New(admissionOf(c, slog.New(slog.NewTextHandler(&log, nil))))
			draw := func(ctx context.Context, layer string) error {
				view := admission.Work{Cost: 2 * time.Second, Group: layer}
				return gate.Run(ctx, view, func(context.Context) error { time.Sleep(view.Cost); return nil })
			}
			for range 10 { // from which the gate learns
				draw(t.Context(), "early")
			}
			go draw(t.Context(), "early")
			synctest.Wait()
			soon, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			err := draw(soon, "late")
			if isRefused := errors.As(err, new(*admission.Refusal)); isRefused != (isShadow == "false") {
				t.Errorf("with --shadow-admission %s the view got %v", isShadow, err)
			}
			if isLogged := strings.Contains(log.String(), line); isLogged != (isShadow == "true") {
				t.Errorf("with --shadow-admission %s the log has %q", isShadow, log.String())
			}
			time.Sleep(time.Minute) // until all is drawn
		})
	}
}
