package http

import (
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
)

// byteRange is a range of bytes of a response body.
type byteRange struct{ first, length int }

// maxRanges bounds the ranges of a response. A request for more gets the whole body.
const maxRanges = 64

// bytesUnit begins a Range header in bytes. RFC 9110 requires other units to be ignored.
const bytesUnit = "bytes="

// asksForRanges reports whether a request asks for ranges of the version in c.
func asksForRanges(r *http.Request, c content) bool {
	if r.Method != http.MethodGet || !strings.HasPrefix(r.Header.Get("Range"), bytesUnit) {
		return false
	}
	version := r.Header.Get("If-Range")
	if version == "" || version == c.etag {
		return true
	}
	date, ok := dateIn(r.Header, "If-Range")
	return ok && !c.modified.IsZero() && c.modified.Equal(date)
}

// sendRanges answers with the requested ranges of c: one as it is, several as multipart/byteranges.
// It sends the whole body if the parts would not be shorter.
func (e *exchange) sendRanges(r *http.Request, c content) error {
	size := len(c.body)
	ranges, err := parseRanges(strings.TrimPrefix(r.Header.Get("Range"), bytesUnit), size)
	if err != nil {
		e.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		return &failure{status: http.StatusRequestedRangeNotSatisfiable, code: "range_not_satisfiable", message: err.Error()}
	}
	switch {
	case len(ranges) > maxRanges || len(ranges) > 1 && bytesOf(ranges) >= size:
		e.send(r, http.StatusOK, c)
	case len(ranges) == 1:
		e.Header().Set("Content-Range", ranges[0].of(size))
		c.body = c.body[ranges[0].first:][:ranges[0].length]
		e.setValidators(c)
		e.sendBody(r, http.StatusPartialContent, c)
	default:
		e.sendMultipart(r, c, ranges)
	}
	return nil
}

// partHeaderBytes is the approximate size of a part's header and boundary.
const partHeaderBytes = 150

// bytesOf returns the approximate size of a multipart body.
func bytesOf(ranges []byteRange) (total int) {
	for _, part := range ranges {
		total += part.length + partHeaderBytes
	}
	return total
}

// of formats the range for Content-Range.
func (b byteRange) of(size int) string {
	return fmt.Sprintf("bytes %d-%d/%d", b.first, b.first+b.length-1, size)
}

// sendMultipart answers with several ranges of c. It writes them twice: first to measure their
// length, and then to the client without a copy of the body.
func (e *exchange) sendMultipart(r *http.Request, c content, ranges []byteRange) {
	var length byteCount
	boundary, err := writeParts(&length, "", c, ranges)
	if err != nil {
		panic(err) // writing to a byteCount cannot fail
	}
	e.setValidators(c)
	h := e.Header()
	h.Set("Cache-Control", c.cacheControl)
	h.Set("Content-Type", "multipart/byteranges; boundary="+boundary)
	h.Set("Content-Length", strconv.Itoa(int(length)))
	e.begin(http.StatusPartialContent, int(length))
	e.releaseSlotFor(c)
	_, _ = writeParts(e, boundary, c, ranges) // an error means that the client has disconnected
}

// writeParts writes ranges of c as parts and returns the boundary, which it chooses if it is empty.
func writeParts(to io.Writer, boundary string, c content, ranges []byteRange) (string, error) {
	w := multipart.NewWriter(to)
	if boundary != "" {
		if err := w.SetBoundary(boundary); err != nil {
			return "", err
		}
	}
	for _, part := range ranges {
		p, err := w.CreatePart(textproto.MIMEHeader{"Content-Type": {c.mime}, "Content-Range": {part.of(len(c.body))}})
		if err != nil {
			return "", err
		}
		if _, err := p.Write(c.body[part.first:][:part.length]); err != nil {
			return "", err
		}
	}
	return w.Boundary(), w.Close()
}

// byteCount counts the bytes written to it.
type byteCount int

func (c *byteCount) Write(p []byte) (int, error) {
	*c += byteCount(len(p))
	return len(p), nil
}

// parseRanges parses a list of byte ranges, like 0-99, 500- or -20, of a body of size bytes. It
// omits ranges beyond the end, but fails if none is left. It stops after maxRanges+1 ranges.
func parseRanges(list string, size int) ([]byteRange, error) {
	var ranges []byteRange
	for text := range strings.SplitSeq(list, ",") {
		text = strings.Trim(text, " \t")
		if text == "" {
			continue
		}
		first, last, ok := parseRange(text, size)
		if !ok {
			return nil, fmt.Errorf("a range must be like bytes=0-99, bytes=500- or bytes=-20, not %q", bytesUnit+shorten(list, maxEchoBytes))
		}
		if first <= last {
			ranges = append(ranges, byteRange{first, last - first + 1})
		}
		if len(ranges) > maxRanges {
			return ranges, nil
		}
	}
	if len(ranges) == 0 {
		return nil, fmt.Errorf("the range is beyond the end: there are %d bytes", size)
	}
	return ranges, nil
}

// parseRange returns the first and last byte of a range. last is less than first if the range is
// beyond the end.
func parseRange(text string, size int) (first, last int, ok bool) {
	before, after, isRange := strings.Cut(text, "-")
	low, lowOK := parseOffset(before, size)
	high, highOK := parseOffset(after, size)
	switch {
	case !isRange || !lowOK && before != "" || !highOK && after != "" || before+after == "":
		return 0, 0, false
	case before == "":
		return size - high, size - 1, true
	case after == "":
		return low, size - 1, true
	}
	return low, min(high, size-1), low <= high
}

// parseOffset parses a number of bytes and bounds it by maxOffset.
func parseOffset(digits string, maxOffset int) (int, bool) {
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil { // too many digits
		n = maxOffset
	}
	return min(n, maxOffset), true
}
