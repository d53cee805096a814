package config

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"os"
	"slices"
	"strings"
)

// Headers are headers of requests to a web server. Their values may be secrets.
type Headers []Header

// A Header is a header with its value, or where the value comes from.
type Header struct {
	Name  string
	Value string
	Env   string // a variable of the environment
	File  string
}

// UnmarshalValue accepts names with values. A value is text, or has the key env or file.
func (h *Headers) UnmarshalValue(value any) error {
	written, ok := value.(map[string]any)
	if !ok {
		return errors.New("must be names and values of headers")
	}
	*h = Headers{}
	for _, name := range slices.Sorted(maps.Keys(written)) {
		header, err := headerOf(name, written[name])
		if err != nil {
			return fmt.Errorf("%s %w", name, err)
		}
		*h = append(*h, header)
	}
	return nil
}

// headerOf returns a header with a value as it is written. Errors do not tell the value.
func headerOf(name string, written any) (Header, error) {
	own := Header{Name: name}
	switch v := written.(type) {
	case string:
		own.Value = v
		return own, nil
	case map[string]any:
		own.Env, _ = v["env"].(string)
		own.File, _ = v["file"].(string)
		if hasOne := (own.Env == "") != (own.File == ""); hasOne && len(v) == 1 {
			return own, nil
		}
	}
	return own, errors.New("must be text, {env: VARIABLE} or {file: PATH}")
}

// headersOfRequests are those that each request has of its own.
var headersOfRequests = []string{
	"Accept-Encoding", "Connection", "Content-Length", "Host", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range",
	"If-Unmodified-Since", "Range", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// check returns an error if the header cannot be sent.
func (h *Header) check() error {
	switch {
	case h.Name == "" || strings.ContainsFunc(h.Name, isNoToken):
		return fmt.Errorf("%q is not the name of a header", h.Name)
	case slices.Contains(headersOfRequests, textproto.CanonicalMIMEHeaderKey(h.Name)):
		return fmt.Errorf("%s cannot be set, since requests have their own", h.Name)
	}
	return h.checkValue(h.Value)
}

func (h *Header) checkValue(value string) error {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return fmt.Errorf("%s has control characters", h.Name)
	}
	return nil
}

// isNoToken reports whether a rune cannot be in the name of a header.
func isNoToken(r rune) bool {
	isAlphanumeric := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	return !isAlphanumeric && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// Read returns the headers with their values. Errors do not tell these.
func (h Headers) Read() (http.Header, error) {
	all := make(http.Header, len(h))
	for i := range h {
		value, err := h[i].read()
		if err != nil {
			return nil, err
		}
		all.Set(h[i].Name, value)
	}
	return all, nil
}

func (h *Header) read() (value string, err error) {
	value = h.Value
	switch {
	case h.Env != "":
		if value = os.Getenv(h.Env); value == "" {
			return "", fmt.Errorf("%s: the environment has no %s", h.Name, h.Env)
		}
	case h.File != "":
		text, err := readBounded(h.File)
		if err != nil {
			return "", fmt.Errorf("%s: %s", h.Name, notRead(h.File, err))
		}
		if value = strings.TrimSpace(string(text)); value == "" {
			return "", fmt.Errorf("%s: %s is empty", h.Name, h.File)
		}
	}
	return value, h.checkValue(value)
}
