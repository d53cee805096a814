package answer

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
func asksForRanges(r *http.Request, c Content) bool {
	if r.Method != http.MethodGet || !strings.HasPrefix(r.Header.Get("Range"), bytesUnit) {
		return false
	}
	version := r.Header.Get("If-Range")
	if version == "" || version == c.ETag {
		return true
	}
	date, ok := dateIn(r.Header, "If-Range")
	return ok && !c.Modified.IsZero() && c.Modified.Equal(date)
}

// SendOrRanges answers with c, or with the ranges of it that the request asks for.
func (e *Exchange) SendOrRanges(r *http.Request, c Content) error {
	if c.HasRanges && asksForRanges(r, c) {
		return e.sendRanges(r, c)
	}
	e.Send(r, http.StatusOK, c)
	return nil
}

// sendRanges answers with the requested ranges of c: one as it is, several as multipart/byteranges.
// It sends the whole body if the parts would not be shorter.
func (e *Exchange) sendRanges(r *http.Request, c Content) error {
	if !e.Hold(c.Body) {
		return errSendingFull()
	}
	size := len(c.Body)
	ranges, err := parseRanges(strings.TrimPrefix(r.Header.Get("Range"), bytesUnit), size)
	if err != nil {
		e.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		return &Failure{Status: http.StatusRequestedRangeNotSatisfiable, Code: "range_not_satisfiable", Message: err.Error()}
	}
	switch {
	case len(ranges) > maxRanges || len(ranges) > 1 && bytesOf(ranges) >= size:
		e.Send(r, http.StatusOK, c)
	case len(ranges) == 1:
		e.Header().Set("Content-Range", ranges[0].of(size))
		c.Body = c.Body[ranges[0].first:][:ranges[0].length]
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
func (e *Exchange) sendMultipart(r *http.Request, c Content, ranges []byteRange) {
	var length byteCount
	boundary, err := writeParts(&length, "", c, ranges)
	if err != nil {
		panic(err) // writing to a byteCount cannot fail
	}
	e.setValidators(c)
	h := e.Header()
	h.Set("Cache-Control", c.CacheControl)
	h.Set("Content-Type", "multipart/byteranges; boundary="+boundary)
	h.Set("Content-Length", strconv.Itoa(int(length)))
	_, _ = writeParts(e.beginBody(r, http.StatusPartialContent), boundary, c, ranges) // an error means that the client has left or is cut off
}

// writeParts writes ranges of c as parts and returns the boundary, which it chooses if it is empty.
func writeParts(to io.Writer, boundary string, c Content, ranges []byteRange) (string, error) {
	w := multipart.NewWriter(to)
	if boundary != "" {
		if err := w.SetBoundary(boundary); err != nil {
			return "", err
		}
	}
	for _, part := range ranges {
		p, err := w.CreatePart(textproto.MIMEHeader{"Content-Type": {c.MIME}, "Content-Range": {part.of(len(c.Body))}})
		if err != nil {
			return "", err
		}
		if _, err := p.Write(c.Body[part.first:][:part.length]); err != nil {
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
			return nil, fmt.Errorf("a range must be like bytes=0-99, bytes=500- or bytes=-20, not %q", bytesUnit+Shorten(list, maxEchoBytes))
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
