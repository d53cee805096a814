package export

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"image"
	"tileserver/archive"
	telling "tileserver/cmd/tileserver/progress"
	"tileserver/export"
)

// told returns what is written about an export of 64 tiles, each of which takes a second, for 40 seconds.
func told(t *testing.T, isTerminal bool) string {
	var out strings.Builder
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		progress, ended := new(export.Progress), make(chan struct{})
		teller := &teller{began: time.Now(), progress: progress, overviews: func() map[string]float64 { return map[string]float64{"a": .25} }}
		done := make(chan struct{})
		go func() {
			defer close(done)
			lines := &telling.Lines{To: &out, IsTerminal: isTerminal, Line: teller.line}
			lines.Run(ended)
		}()
		time.Sleep(1100 * time.Millisecond) // overviews are built
		ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
		defer cancel()
		_, err := export.Run(ctx, export.Config{
			Out: filepath.Join(folder, "out"), Progress: progress, // the output is not begun
			Grid: export.Grid{{Zoom: 3, Size: image.Pt(8, 8), Wanted: image.Rect(0, 0, 8, 8)}},
			Render: func(context.Context, archive.Position) ([]byte, error) {
				time.Sleep(time.Second)
				return []byte("a"), nil
			},
		})
		if err == nil {
			t.Error("the export has ended before the test")
		}
		close(ended)
		<-done
	})
	return out.String()
}

func TestATerminalHasOneLineOfProgress(t *testing.T) {
	text := told(t, true)
	if strings.Contains(text, "\n") || !strings.HasSuffix(text, "\r") {
		t.Errorf("more than one line is left: %q", text)
	}
	for _, says := range []string{"building overviews: 25.0 %", "10 of 64 tiles, 15.6 %, 1 tiles/s, "} {
		if !strings.Contains(text, says) {
			t.Errorf("it does not say %q: %q", says, text)
		}
	}
}

func TestALogHasALineNowAndThen(t *testing.T) {
	text := told(t, false)
	if strings.Count(text, "\n") != 1 || strings.Contains(text, "\r") || !strings.HasPrefix(text, "28 of 64 tiles, 43.8 %, 1 tiles/s, ") || !strings.HasSuffix(text, " left\n") {
		t.Errorf("the log is %q", text)
	}
}
