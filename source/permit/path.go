package permit

import (
	"errors"
	"net/url"
	"strings"
	"unicode/utf8"
)

// webPath returns a path of the web in one notation: only what needs it is escaped, with capital hex
// digits. Reserved characters stay as they are, since servers tell %2B from +.
func webPath(path string) (string, error) {
	if path == "" {
		return "/", nil
	}
	plain, err := unescaped(path)
	if err != nil {
		return "", err
	}
	if err := checkNames(plain); err != nil {
		return "", err
	}
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c, isEscaped := path[i], path[i] == '%'
		if isEscaped {
			c, i = unhex(path[i+1])<<4|unhex(path[i+2]), i+2
		}
		if isUnreserved(c) || !isEscaped && strings.IndexByte(reserved, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteString("%" + string(capitalHex[c>>4]) + string(capitalHex[c&15]))
	}
	return b.String(), nil
}

const (
	reserved   = "/:@!$&'()*+,;="
	capitalHex = "0123456789ABCDEF"
)

// isUnreserved reports whether a byte means the same whether or not it is escaped.
func isUnreserved(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return strings.IndexByte("-._~", c) >= 0
}

// unhex returns the value of a hex digit.
func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}

// keyPath returns the path of a key in a bucket as it is written. It must be harmless whether or not
// the service unescapes it.
func keyPath(path string) (string, error) {
	if err := checkNames(path); err != nil {
		return "", err
	}
	if !strings.Contains(path, "%") {
		return path, nil
	}
	plain, err := unescaped(path)
	if err != nil {
		return "", err
	}
	return path, checkNames(plain)
}

// unescaped returns a path without its escapes, of which none may hide what steers a path, nor another
// escape.
func unescaped(path string) (string, error) {
	plain, err := url.PathUnescape(path)
	if err != nil {
		return "", errors.New("its path has an invalid escape")
	}
	for _, after := range strings.Split(path, "%")[1:] {
		switch c := unhex(after[0])<<4 | unhex(after[1]); {
		case c < ' ' || c == 0x7f:
			return "", errors.New("its path has an escaped control character")
		case c == '/' || c == '\\' || c == '.':
			return "", errors.New("its path has an escaped slash, backslash or dot")
		}
	}
	for _, after := range strings.Split(plain, "%")[1:] {
		if isHex(after) {
			return "", errors.New("its path is escaped twice")
		}
	}
	return plain, nil
}

// isHex reports whether a text begins with two hex digits.
func isHex(text string) bool {
	const digits = "0123456789abcdefABCDEF"
	return len(text) >= 2 && strings.IndexByte(digits, text[0]) >= 0 && strings.IndexByte(digits, text[1]) >= 0
}

// checkNames refuses names in a path that lead elsewhere, and what some programs take for such names.
func checkNames(path string) error {
	if !utf8.ValidString(path) {
		return errors.New("its path is not UTF-8")
	}
	names := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, name := range names {
		switch plain, _, _ := strings.Cut(name, ";"); {
		case plain == "." || plain == "..":
			return errors.New("its path has a dot segment")
		case name == "" && i < len(names)-1:
			return errors.New("its path has an empty segment")
		}
	}
	return nil
}
