package web

import (
	"fmt"
	"strconv"
	"strings"

	"tileserver/source"
)

// unknownSize is the size in a Content-Range that does not tell it.
const unknownSize = -1

// parseContentRange parses the header of an answer with a part of an object: which part it is, and how large
// the object.
func parseContentRange(text string) (part source.Range, size int64, err error) {
	malformed := fmt.Errorf("malformed Content-Range %.40q", text)
	span, total, ok := strings.Cut(strings.TrimPrefix(text, "bytes "), "/")
	if !ok || !strings.HasPrefix(text, "bytes ") {
		return part, 0, malformed
	}
	if size = unknownSize; total != "*" {
		if size, ok = parseOffset(total); !ok {
			return part, 0, malformed
		}
	}
	if span == "*" { // nothing of the object was asked for that exists
		return part, size, nil
	}
	first, last, _ := strings.Cut(span, "-")
	from, okFrom := parseOffset(first)
	to, okTo := parseOffset(last)
	if !okFrom || !okTo || to < from || size != unknownSize && to >= size {
		return part, 0, malformed
	}
	return source.Range{Offset: from, Length: to - from + 1}, size, nil
}

// parseOffset parses digits. The largest number is one that can be counted past.
func parseOffset(text string) (n int64, ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	isDigits := !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	return n, err == nil && isDigits && n < 1<<62
}

// formatRange formats a range as a header asks for it.
func formatRange(r source.Range) string { return fmt.Sprintf("bytes=%d-%d", r.Offset, r.End()-1) }
