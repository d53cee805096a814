// Package sign writes signed addresses: that of one picture, or a template in which a map viewer fills
// in the numbers of tiles. Command sign calls it. The package owns which parts of a template stay
// unsigned. It must never know how the server verifies a signature.
package sign

import (
	"maps"
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
	if err := o.addScope(path, query); err != nil {
		return "", err
	}
	return before + "?" + readable(o.Key.Sign(path, query, o.Until)), nil
}

// addScope adds to a query what its signature covers, if that is not all of one address.
func (o *Options) addScope(path string, query url.Values) error {
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
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if slices.Contains(unsigned, name) || slices.Contains(unsigned, signature.Everything) {
			continue
		}
		switch values, i := query[name], slices.IndexFunc(query[name], placeholder.MatchString); {
		case i < 0:
		case slices.ContainsFunc(values, isWrittenOut):
			return usage.Mistakef("%s=%s would be signed with the braces; write the value out, or add %s to --unsigned", name, values[i], name)
		default:
			unsigned = append(unsigned, name)
		}
	}
	if slices.Sort(unsigned); len(unsigned) > 0 {
		query.Set(signature.Unsigned, strings.Join(unsigned, ","))
	}
	return nil
}

// mergeStars replaces stars that follow each other by one: {y}{r} may be empty at its end.
func mergeStars(pattern string) string {
	for strings.Contains(pattern, "**") {
		pattern = strings.ReplaceAll(pattern, "**", "*")
	}
	return pattern
}

// isWrittenOut reports whether a value has more than what a viewer fills in, and commas.
func isWrittenOut(value string) bool {
	return strings.Trim(placeholder.ReplaceAllString(value, ""), ",") != ""
}

// readable returns a query with what is filled in as it was written.
func readable(query url.Values) string {
	filled := make(url.Values)
	for name, values := range query {
		if slices.ContainsFunc(values, placeholder.MatchString) {
			filled[name] = values
			delete(query, name)
		}
	}
	text := query.Encode()
	for _, name := range slices.Sorted(maps.Keys(filled)) {
		for _, value := range filled[name] {
			text += "&" + url.QueryEscape(name) + "=" + template(value)
		}
	}
	return text
}

// template escapes a value, but not its commas and what a viewer fills in.
func template(value string) string {
	text, end := "", 0
	for _, braces := range placeholder.FindAllStringIndex(value, -1) {
		text += url.QueryEscape(value[end:braces[0]]) + value[braces[0]:braces[1]]
		end = braces[1]
	}
	return strings.ReplaceAll(text+url.QueryEscape(value[end:]), "%2C", ",")
}
