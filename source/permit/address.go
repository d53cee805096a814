package permit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxAddressBytes bounds an address. A signature with the token of a session takes about 2 KiB.
const maxAddressBytes = 8 << 10

// address is an address in the one notation that is accepted. Programs disagree on what the others mean.
type address struct {
	scheme string
	host   string // in lower case; an IPv6 address has brackets; of a bucket, its name
	port   string // "" for that of the scheme
	path   string // with its slash, or ""
	query  string // with its question mark, or ""
}

// String returns the address in its canonical notation.
func (a address) String() string { return a.withoutQuery() + a.query }

func (a address) withoutQuery() string {
	if a.port != "" {
		return a.scheme + "://" + a.host + ":" + a.port + a.path
	}
	return a.scheme + "://" + a.host + a.path
}

// kind is what a scheme leads to.
type kind struct {
	port      string                            // that need not be written
	checkHost func(host string) (string, error) // returns the host in its canonical notation
	checkPath func(path string) (string, error) // does the same for the path
	isBucket  bool                              // a bucket has neither ports nor queries
}

// kindOf returns the kind of a scheme.
func kindOf(scheme string) (kind, error) {
	switch scheme {
	case "http":
		return kind{port: "80", checkHost: checkHost, checkPath: webPath}, nil
	case "https":
		return kind{port: "443", checkHost: checkHost, checkPath: webPath}, nil
	case "s3", "gs", "az":
		return kind{checkHost: checkBucket, checkPath: keyPath, isBucket: true}, nil
	}
	return kind{}, errors.New("the scheme is none of http, https, s3, gs and az")
}

// parse takes an address apart, or tells what is wrong with it.
func parse(text string) (a address, err error) {
	if err := checkText(text); err != nil {
		return a, err
	}
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return a, errors.New("it has no scheme")
	}
	if a.scheme, err = lower(scheme); err != nil {
		return a, err
	}
	of, err := kindOf(a.scheme)
	if err != nil {
		return a, err
	}
	if rest, a.query = cutBefore(rest, "?"); a.query != "" {
		if err := checkQuery(a.query, of); err != nil {
			return a, err
		}
	}
	authority, path := cutBefore(rest, "/")
	if a.host, a.port, err = of.splitAuthority(authority); err != nil {
		return a, err
	}
	a.path, err = of.checkPath(path)
	return a, err
}

// cutBefore cuts a text before the first separator, which remains.
func cutBefore(text, separator string) (before, rest string) {
	if at := strings.Index(text, separator); at >= 0 {
		return text[:at], text[at:]
	}
	return text, ""
}

// checkText refuses what no part of an address may have.
func checkText(text string) error {
	if len(text) > maxAddressBytes {
		return fmt.Errorf("it is longer than %d bytes", maxAddressBytes)
	}
	for _, c := range []byte(text) {
		switch {
		case c < ' ' || c == 0x7f:
			return errors.New("it has a control character")
		case c == '\\':
			return errors.New("it has a backslash")
		case c == '#':
			return errors.New("it has a fragment")
		}
	}
	return nil
}

// checkQuery accepts what needs no escaping on the wire.
func checkQuery(query string, of kind) error {
	if of.isBucket {
		return errors.New("the address of a bucket has no query, and its key no question mark")
	}
	if i := strings.IndexFunc(query, func(c rune) bool { return c <= ' ' || c > '~' }); i >= 0 {
		return errors.New("its query has a character that must be escaped")
	}
	return nil
}

// splitAuthority returns the host and the port of an authority.
func (k kind) splitAuthority(authority string) (host, port string, err error) {
	if strings.Contains(authority, "@") {
		return "", "", errors.New("it has a user or a password")
	}
	host = authority
	if colon := strings.LastIndexByte(authority, ':'); colon > strings.LastIndexByte(authority, ']') && !k.isBucket {
		host, port = authority[:colon], authority[colon+1:]
		if port, err = k.checkPort(port); err != nil {
			return "", "", err
		}
	}
	host, err = k.checkHost(host)
	return host, port, err
}

// checkPort returns a port, or "" for that of the scheme.
func (k kind) checkPort(text string) (string, error) {
	number, err := strconv.ParseUint(text, 10, 16)
	if err != nil || number == 0 || strconv.FormatUint(number, 10) != text {
		return "", errors.New("its port is no number")
	}
	if text == k.port {
		return "", nil
	}
	return text, nil
}

// redacted returns what may be told of an address that could not be parsed. Where a password may be, it
// tells the scheme only.
func redacted(text string) string {
	if strings.Contains(text, "@") {
		scheme, _, ok := strings.Cut(text, "://")
		if !ok || strings.Contains(scheme, "@") {
			return "an address"
		}
		text = scheme + "://…"
	}
	if at := strings.IndexAny(text, "?#"); at >= 0 {
		text = text[:at]
	}
	return shown(text)
}

// shown returns the beginning of an address in quotes.
func shown(text string) string {
	const maxShownBytes = 200
	if len(text) > maxShownBytes {
		text = text[:maxShownBytes] + "…"
	}
	return strconv.Quote(strings.ToValidUTF8(text, "?"))
}
