package http

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// parameters holds the parameters of a query. Unknown names are ignored, since viewers add some to
// bypass caches; invalid values are rejected. The first error stays in err, and every value read
// after it is empty.
type parameters struct {
	values url.Values
	err    error
}

func parametersOf(r *http.Request) *parameters {
	values, err := queryOf(r)
	if err != nil {
		return &parameters{err: invalid("the query is malformed")}
	}
	return &parameters{values: values}
}

// queryOf parses the query. A semicolon, once a separator like the ampersand, is part of a value
// here: expressions contain it.
func queryOf(r *http.Request) (url.Values, error) {
	return url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B"))
}

func (p *parameters) reject(format string, arguments ...any) {
	if p.err == nil {
		p.err = invalid(format, arguments...)
	}
}

// withoutPrefix returns the text of an error without the text of kind at its beginning. The message
// names the parameter already.
func withoutPrefix(kind, err error) string { return strings.TrimPrefix(err.Error(), kind.Error()+": ") }

// maxValues bounds how often a parameter may be given.
const maxValues = 64

// texts returns the values of a parameter, without the empty ones that HTML forms send.
func (p *parameters) texts(name string) []string {
	if p.err != nil {
		return nil
	}
	var texts []string
	for _, text := range p.values[name] {
		if text != "" {
			texts = append(texts, text)
		}
	}
	if len(texts) > maxValues {
		p.reject("%s is given %d times; at most %d are allowed", name, len(texts), maxValues)
		return nil
	}
	return texts
}

// text returns the value of a parameter that may be given once, or "".
func (p *parameters) text(name string) string {
	texts := p.texts(name)
	switch len(texts) {
	case 0:
		return ""
	case 1:
		return texts[0]
	}
	p.reject("%s is given %d times; once is allowed", name, len(texts))
	return ""
}

// integer returns a whole number from low to high, or absent if the parameter is missing.
func (p *parameters) integer(name string, absent, low, high int) int {
	text := p.text(name)
	if text == "" {
		return absent
	}
	v, err := strconv.Atoi(text)
	if err != nil || v < low || v > high {
		p.reject("%s must be a whole number from %d to %d, not %q", name, low, high, text)
		return absent
	}
	return v
}

// choice returns one of values, the first if the parameter is missing.
func (p *parameters) choice(name string, values ...string) string {
	text := p.text(name)
	switch {
	case text == "":
		return values[0]
	case slices.Contains(values, text):
		return text
	}
	p.reject("%s must be one of %s, not %q", name, strings.Join(values, ", "), text)
	return values[0]
}

// boolean returns the value of a boolean parameter, written as in Python or YAML; missing is false.
func (p *parameters) boolean(name string) bool {
	switch text := p.text(name); strings.ToLower(text) {
	case "true", "1", "yes", "on":
		return true
	case "", "false", "0", "no", "off":
	default:
		p.reject("%s must be true or false, not %q", name, text)
	}
	return false
}

// exampleNumbers are the examples in messages about a point, a range or a box.
var exampleNumbers = [...]string{"5.9", "45.8", "10.5", "47.8"}

// numbers parses count finite numbers between commas, at most len(exampleNumbers).
func (p *parameters) numbers(name, text string, count int) []float64 {
	parts := strings.SplitN(text, ",", count+1)
	numbers := make([]float64, len(parts))
	for i, part := range parts {
		v, ok := finiteNumber(part)
		if !ok || len(parts) != count {
			p.reject("%s must be %d numbers with commas between them, such as %s, not %q", name, count, strings.Join(exampleNumbers[:count], ","), text)
			return nil
		}
		numbers[i] = v
	}
	return numbers
}

func finiteNumber(text string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// pathValue returns a segment of the path, unescaped.
func pathValue(r *http.Request, name string) string {
	value := r.PathValue(name)
	if unescaped, err := url.PathUnescape(value); err == nil {
		return unescaped
	}
	return value
}
