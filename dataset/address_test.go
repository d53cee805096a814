package dataset

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"tileserver/source/sourcetest"
)

func TestAddresses(t *testing.T) {
	files := sourcetest.NewStore()
	files.Put("a/scan.tif#2", nil, time.Hour)
	files.Put("b.tif", nil, time.Hour)
	for _, test := range []struct {
		text string
		want Address
	}{
		{"a/scan.tif", Address{"a/scan.tif", 1}}, {"a/scan.tif#1", Address{"a/scan.tif", 1}}, {"a/scan.tif#2", Address{"a/scan.tif#2", 1}},
		{"a/scan.tif#3", Address{"a/scan.tif", 3}}, {"a/scan.tif#2#2", Address{"a/scan.tif#2", 2}},
		{"https://h/a.tif?s=1#2", Address{"https://h/a.tif?s=1", 2}}, {"https://h/a.tif", Address{"https://h/a.tif", 1}},
		{"s3://b/a#2.tif", Address{"s3://b/a#2.tif", 1}}, {"s3://b/a.tif#2", Address{"s3://b/a.tif", 2}},
		{"a/scan.tif#", Address{"a/scan.tif#", 1}}, {"a/scan.tif#two", Address{"a/scan.tif#two", 1}}, {"", Address{"", 1}},
	} {
		if got, err := ParseAddress(t.Context(), files, test.text); got != test.want || err != nil {
			t.Errorf("%q: got %v and %v, want %v", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{"b.tif#two", "a/scan.tif#0", "a/scan.tif#-1", "https://h/a.tif#two", "https://h/a.tif?s=1#0"} {
		if got, err := ParseAddress(t.Context(), files, text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

// What follows # on a web server is no name, so nobody asks for it.
func TestAddressesOfWebServersAreParsedWithoutRequests(t *testing.T) {
	files := sourcetest.NewStore()
	for _, text := range []string{"https://h/a.tif", "https://h/a.tif?s=1#2", "https://h/a.tif#two"} {
		_, _ = ParseAddress(t.Context(), files, text) // the results are tested above
	}
	if calls := files.Calls("https://h"); calls != 0 {
		t.Errorf("the server is asked %d times", calls)
	}
}

func TestAddressesAreToldAndLoggedWithoutSecrets(t *testing.T) {
	image := Address{"https://user:secret@h/a.tif?sig=secret", 2}
	if got := image.String(); got != "https://h/a.tif#2" {
		t.Errorf("it is told as %s", got)
	}
	for name, handler := range map[string]func(io.Writer) slog.Handler{
		"text": func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) }, "JSON": func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
	} {
		var log bytes.Buffer
		slog.New(handler(&log)).Info("skipped", "path", image)
		if !strings.Contains(log.String(), "https://h/a.tif#2") || strings.Contains(log.String(), "secret") {
			t.Errorf("%s: it is logged as %s", name, &log)
		}
	}
}
