// Package query reads the parameters of requests: texts, numbers, choices and booleans, each
// checked. Handlers of http and package style read theirs with it, so that all messages agree. It
// must never know what a parameter means.
package query

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Parameters holds the parameters of a query. Unknown names are ignored, since viewers add some to
// bypass caches; invalid values are rejected. The first error stays in Err, and every value read
// after it is empty.
type Parameters struct {
	Values    url.Values
	Err       error
	InAddress bool // the values are part of an address, so advice escapes them
}

// Error is the text of an error in the parameters, for clients.
type Error string

func (e Error) Error() string { return string(e) }

// Reject records an error in the parameters, unless there is one already.
func (p *Parameters) Reject(format string, arguments ...any) {
	if p.Err == nil {
		p.Err = Error(fmt.Sprintf(format, arguments...))
	}
}

// MaxValues bounds how often a parameter may be given.
const MaxValues = 64

// Texts returns the values of a parameter, without the empty ones that HTML forms send.
func (p *Parameters) Texts(name string) []string {
	if p.Err != nil {
		return nil
	}
	var texts []string
	for _, text := range p.Values[name] {
		if text != "" {
			texts = append(texts, text)
		}
	}
	if len(texts) > MaxValues {
		p.Reject("%s is given %d times; at most %d are allowed", name, len(texts), MaxValues)
		return nil
	}
	return texts
}

// IsGiven reports whether a parameter has a value that is not empty.
func (p *Parameters) IsGiven(name string) bool {
	return slices.ContainsFunc(p.Values[name], func(text string) bool { return text != "" })
}

// Text returns the value of a parameter that may be given once, or "".
func (p *Parameters) Text(name string) string {
	texts := p.Texts(name)
	switch len(texts) {
	case 0:
		return ""
	case 1:
		return texts[0]
	}
	p.Reject("%s is given %d times; once is allowed", name, len(texts))
	return ""
}

// Integer returns a whole number from low to high, or absent if the parameter is missing.
func (p *Parameters) Integer(name string, absent, low, high int) int {
	text := p.Text(name)
	if text == "" {
		return absent
	}
	v, err := strconv.Atoi(text)
	if err != nil || v < low || v > high {
		p.Reject("%s must be a whole number from %d to %d, not %q", name, low, high, text)
		return absent
	}
	return v
}

// Choice returns one of values, the first if the parameter is missing.
func (p *Parameters) Choice(name string, values ...string) string {
	text := p.Text(name)
	switch {
	case text == "":
		return values[0]
	case slices.Contains(values, text):
		return text
	}
	p.Reject("%s must be one of %s, not %q", name, strings.Join(values, ", "), text)
	return values[0]
}

// Boolean returns the value of a boolean parameter, written as in Python or YAML; missing is false.
func (p *Parameters) Boolean(name string) bool {
	switch text := p.Text(name); strings.ToLower(text) {
	case "true", "1", "yes", "on":
		return true
	case "", "false", "0", "no", "off":
	default:
		p.Reject("%s must be true or false, not %q", name, text)
	}
	return false
}

// exampleNumbers are the examples in messages about a point, a range or a box.
var exampleNumbers = [...]string{"5.9", "45.8", "10.5", "47.8"}

// Numbers parses so many finite numbers with commas between them. The count is at most four.
func (p *Parameters) Numbers(name, text string, count int) []float64 {
	parts := strings.SplitN(text, ",", count+1)
	numbers := make([]float64, len(parts))
	for i, part := range parts {
		v, ok := Finite(part)
		if !ok || len(parts) != count {
			p.Reject("%s must be %d numbers with commas between them, such as %s, not %q", name, count, strings.Join(exampleNumbers[:count], ","), text)
			return nil
		}
		numbers[i] = v
	}
	return numbers
}

// Finite parses a finite number.
func Finite(text string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}
