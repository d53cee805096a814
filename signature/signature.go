// Package signature proves that the operator allows an address: the address carries a keyed hash of
// itself (HMAC-SHA256), the id of the key, and the time until which it is valid. Package http verifies
// addresses with it, and the command sign makes them. The package owns the notation of signed addresses
// and of the file of keys. It must never know what an address leads to, or what a signature permits.
//
// Words: the *signed text* is what the hash is of: a path below the root of the server, and the query;
// a *pattern* is a path that stands for others.
package signature

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The parameters of a signed address.
const (
	Name     = "signature"
	Expires  = "expires"     // Unix time in seconds
	KeyID    = "key_id"      // of the key
	Path     = "signed_path" // the pattern that is signed in place of the path of the address
	Unsigned = "unsigned"    // names of parameters that are not signed, with commas between them
)

// Everything stands for all names in Unsigned.
const Everything = "*"

// IsSigned reports whether an address carries a signature.
func IsSigned(query url.Values) bool { return query.Has(Name) }

// Sign returns the query of an address with the parameters that prove it until a time. The query may
// have Path and Unsigned.
func (k Key) Sign(path string, query url.Values, until time.Time) url.Values {
	signed := make(url.Values, len(query)+3)
	for name, values := range query {
		signed[name] = values
	}
	signed.Set(Expires, strconv.FormatInt(until.Unix(), 10))
	signed.Set(KeyID, k.ID)
	signed.Set(Name, k.hashOf(textOf(path, signed)))
	return signed
}

// Verify checks the signature of an address and returns until when it is valid. The error is an
// *Error.
func (k Keys) Verify(path string, query url.Values, now time.Time) (until time.Time, err error) {
	for _, name := range []string{Name, Expires, KeyID, Path, Unsigned} {
		if isOptional := name == Path || name == Unsigned; len(query[name]) != 1 && !(isOptional && len(query[name]) == 0) {
			return until, reject(Invalid, "the address has no valid signature: it must have one %s", name)
		}
	}
	key, ok := k.find(query.Get(KeyID))
	if !ok {
		return until, reject(UnknownKey, "the address is signed with a key that is not known here")
	}
	given := strings.TrimRight(query.Get(Name), "=")
	if !hmac.Equal([]byte(given), []byte(key.hashOf(textOf(path, query)))) || !covers(query, path) {
		return until, reject(Invalid, "the signature is not that of the address")
	}
	seconds, err := strconv.ParseInt(query.Get(Expires), 10, 64)
	if err != nil || seconds < 0 || seconds > maxSeconds {
		return until, reject(Invalid, "the address has no valid signature: %s must be a time in seconds", Expires)
	}
	if until = time.Unix(seconds, 0); !now.Before(until) {
		return until, reject(Expired, "the signature of the address has expired")
	}
	return until, nil
}

// maxSeconds is the year 9999, the last that dates in headers can have.
const maxSeconds = 253_402_300_799

// textOf returns the signed text of an address: the pattern, or the path; a question mark; and the
// signed part of the query, sorted by name and escaped as in a form.
func textOf(path string, query url.Values) string {
	if pattern := query.Get(Path); pattern != "" {
		path = pattern
	}
	unsigned := strings.Split(query.Get(Unsigned), ",")
	covered := make(url.Values, len(query))
	for name, values := range query {
		if name != Name && !isUnsigned(name, unsigned) {
			covered[name] = values
		}
	}
	return path + "?" + covered.Encode()
}

// isUnsigned reports whether a parameter is not signed. Those that make the proof always are, and so is
// one without a name, which an empty list of unsigned names would contain.
func isUnsigned(name string, unsigned []string) bool {
	if name == "" || slices.Contains([]string{Expires, KeyID, Path, Unsigned}, name) {
		return false
	}
	return slices.Contains(unsigned, name) || slices.Contains(unsigned, Everything)
}

// covers reports whether a path is one that the address is signed for.
func covers(query url.Values, path string) bool {
	pattern := query.Get(Path)
	return pattern == "" || Matches(pattern, path)
}

// Matches reports whether a pattern stands for a path. A star stands for any text without a slash. A
// pattern that ends with a slash stands for everything below it.
func Matches(pattern, path string) bool {
	patterns, parts := strings.Split(pattern, "/"), strings.Split(path, "/")
	if last := len(patterns) - 1; last > 0 && patterns[last] == "" && len(parts) > last {
		patterns, parts = patterns[:last], parts[:last]
	}
	return slices.EqualFunc(patterns, parts, matchesSegment)
}

// matchesSegment reports whether a segment of a pattern stands for one of a path.
func matchesSegment(pattern, segment string) bool {
	texts := strings.Split(pattern, "*")
	if len(texts) == 1 {
		return pattern == segment
	}
	first, last := texts[0], texts[len(texts)-1]
	if len(segment) < len(first)+len(last) || !strings.HasPrefix(segment, first) || !strings.HasSuffix(segment, last) {
		return false
	}
	segment = segment[len(first) : len(segment)-len(last)]
	for _, text := range texts[1 : len(texts)-1] {
		at := strings.Index(segment, text)
		if at < 0 {
			return false
		}
		segment = segment[at+len(text):]
	}
	return true
}

// hashOf returns the keyed hash of a text.
func (k Key) hashOf(text string) string {
	h := hmac.New(sha256.New, []byte(k.Secret))
	h.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// A Reason says why a signature is refused.
type Reason string

// The reasons.
const (
	Invalid    Reason = "invalid"
	UnknownKey Reason = "unknown_key"
	Expired    Reason = "expired"
)

// An Error is about an address whose signature is refused. Its text is for clients.
type Error struct {
	Reason Reason
	text   string
}

func (e *Error) Error() string { return e.text }

func reject(reason Reason, format string, arguments ...any) error {
	return &Error{reason, fmt.Sprintf(format, arguments...)}
}
