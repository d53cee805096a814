// Package sign writes signed addresses: that of one picture, or a template in which a map viewer fills
// in the numbers of tiles. Command sign calls it. The package owns which parts of a template stay
// unsigned. It must never know how the server verifies a signature.
package sign

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"tileserver/cmd/tileserver/usage"
	"tileserver/signature"
)

// Options say how an address is signed.
type Options struct {
	Key      signature.Key
	Until    time.Time
	BasePath string // path of the public address of the server, which is not signed
	Pattern  string // signed in place of the path; "" is the path, with stars for what is filled in
	Unsigned string // names of parameters that are not signed, besides those that are filled in
}

// placeholder matches what a viewer fills in, such as {z} or {bbox-epsg-3857}.
var placeholder = regexp.MustCompile(`\{[A-Za-z][A-Za-z0-9_-]*\}`)

// Address returns a signed address. What stands in braces remains.
func Address(text string, o Options) (string, error) {
	before, after, _ := strings.Cut(text, "?")
	at, err := url.Parse(before)
	if err != nil || !strings.HasPrefix(at.Path, "/") {
		return "", usage.Mistakef("%q is no address such as https://maps.example.org/tiles/dem/{z}/{x}/{y}.png", text)
	}
	query, err := url.ParseQuery(strings.ReplaceAll(after, ";", "%3B"))
	if err != nil {
		return "", usage.Mistakef("the query of %q is malformed", text)
	}
	path, isBelow := strings.CutPrefix(at.Path, strings.TrimSuffix(o.BasePath, "/"))
	if !isBelow || !strings.HasPrefix(path, "/") {
		return "", usage.Mistakef("the path of %q does not begin with %s", text, o.BasePath)
	}
	o.addScope(path, query)
	return before + "?" + readable(o.Key.Sign(path, query, o.Until)), nil
}

// addScope adds to a query what its signature covers, if that is not all of one address.
func (o *Options) addScope(path string, query url.Values) {
	pattern := o.Pattern
	if filled := placeholder.ReplaceAllString(path, "*"); pattern == "" && filled != path {
		pattern = mergeStars(filled)
	}
	if pattern == "" && strings.HasSuffix(path, "/") {
		pattern = path
	}
	if pattern != "" {
		query.Set(signature.Path, pattern)
	}
	unsigned := strings.FieldsFunc(o.Unsigned, func(r rune) bool { return r == ',' })
	for name := range query {
		if isFilledIn(query.Get(name)) && !slices.Contains(unsigned, name) {
			unsigned = append(unsigned, name)
		}
	}
	if slices.Sort(unsigned); len(unsigned) > 0 {
		query.Set(signature.Unsigned, strings.Join(unsigned, ","))
	}
}

// mergeStars replaces stars that follow each other by one: {y}{r} may be empty at its end.
func mergeStars(pattern string) string {
	for strings.Contains(pattern, "**") {
		pattern = strings.ReplaceAll(pattern, "**", "*")
	}
	return pattern
}

// isFilledIn reports whether a viewer fills in the value of a parameter.
func isFilledIn(value string) bool {
	return placeholder.MatchString(value) && placeholder.ReplaceAllString(value, "") == strings.Repeat(",", strings.Count(value, ","))
}

// readable returns a query with what is filled in as it was written.
func readable(query url.Values) string {
	filled := make(url.Values)
	for name := range query {
		if isFilledIn(query.Get(name)) {
			filled[name] = query[name]
			delete(query, name)
		}
	}
	text := query.Encode()
	for name, values := range filled {
		text += "&" + url.QueryEscape(name) + "=" + values[0]
	}
	return text
}
