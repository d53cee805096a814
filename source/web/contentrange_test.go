package web

import (
	"testing"

	"tileserver/source"
)

func TestContentRange(t *testing.T) {
	for text, want := range map[string]struct {
		part source.Range
		size int64
		ok   bool
	}{
		"bytes 0-9/100":   {source.Range{Length: 10}, 100, true},
		"bytes 90-99/100": {source.Range{Offset: 90, Length: 10}, 100, true},
		"bytes 5-5/*":     {source.Range{Offset: 5, Length: 1}, unknownSize, true},
		"bytes */0":       {source.Range{}, 0, true},
		"bytes */100":     {source.Range{}, 100, true},

		"": {}, "bytes": {}, "bytes 0-9": {}, "bytes 0-9/": {}, "bytes /100": {}, "bytes -/100": {}, "bytes 9-0/100": {},
		"bytes 90-100/100": {}, "bytes 0-9/-1": {}, "bytes -5-9/100": {}, "bytes +0-9/100": {}, "bytes 0-9/1e2": {},
		"lines 0-9/100": {}, "0-9/100": {}, "bytes 0-9223372036854775807/*": {}, "bytes 0-99999999999999999999/*": {},
	} {
		part, size, err := parseContentRange(text)
		if (err == nil) != want.ok || want.ok && (part != want.part || size != want.size) {
			t.Errorf("%q: %v, %d, %v", text, part, size, err)
		}
	}
}

func FuzzContentRange(f *testing.F) {
	for _, text := range []string{"bytes 0-9/100", "bytes */0", "bytes 5-5/*", "bytes 0-9223372036854775807/*"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		part, size, err := parseContentRange(text)
		if err != nil {
			return
		}
		if size != unknownSize && source.CheckBounds([]source.Range{part}, size) != nil {
			t.Errorf("%q: %v is not within %d bytes", text, part, size)
		}
		if part.Length > 0 && part.End() < part.Offset {
			t.Errorf("%q: the end of %v overflows", text, part)
		}
	})
}
