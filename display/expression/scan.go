package expression

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	endToken tokenKind = iota
	numberToken
	nameToken
	quotedToken
	symbolToken
)

// A token is a lexical unit of an expression. Its text is the symbol, or the name without quotes.
type token struct {
	kind  tokenKind
	text  string
	value float64
	at    int // byte of the expression at which it begins
}

// is reports whether the token is this symbol or this unquoted name.
func (t token) is(text string) bool {
	return (t.kind == symbolToken || t.kind == nameToken) && t.text == text
}

// String names the token in an error message.
func (t token) String() string {
	switch t.kind {
	case endToken:
		return "the end"
	case numberToken:
		return "the number " + t.text
	}
	return strconv.Quote(t.text)
}

// symbols lists all symbols, longer ones first.
var symbols = []string{
	"**", "//", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "<", ">", "&", "|", "~", "(", ")", ",", ";",
}

// advice explains symbols of other languages.
var advice = []struct{ symbol, meant string }{
	{"=", `"==" compares`},
	{"!", `"!=" compares, "~" or "not" negates`},
	{"^", `"**" raises to a power`},
	{"[", `an expression has no lists`},
}

// scan returns the first token at or after a byte, and the byte after the token.
func scan(text string, at int) (token, int, error) {
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	if at == len(text) {
		return token{kind: endToken, at: at}, at, nil
	}
	first, _ := utf8.DecodeRuneInString(text[at:])
	switch {
	case isDigit(first) || first == '.':
		return scanNumber(text, at)
	case startsName(first):
		end := at + nameLength(text[at:])
		return token{kind: nameToken, text: text[at:end], at: at}, end, nil
	case first == '"' || first == '\'' || first == '`':
		return scanQuoted(text, at)
	}
	for _, symbol := range symbols {
		if strings.HasPrefix(text[at:], symbol) {
			return token{kind: symbolToken, text: symbol, at: at}, at + len(symbol), nil
		}
	}
	for _, a := range advice {
		if strings.HasPrefix(text[at:], a.symbol) {
			return token{}, 0, invalidAt(text, at, "unexpected %q: %s", a.symbol, a.meant)
		}
	}
	return token{}, 0, invalidAt(text, at, "unexpected %q", first)
}

func scanNumber(text string, at int) (token, int, error) {
	end := skipDigits(text, at)
	digits := end - at
	if end < len(text) && text[end] == '.' {
		fraction := end + 1
		end = skipDigits(text, fraction)
		digits += end - fraction
	}
	if digits == 0 {
		return token{}, 0, invalidAt(text, at, `expected a digit beside "."`)
	}
	if end < len(text) && (text[end] == 'e' || text[end] == 'E') {
		exponent := end + 1
		if exponent < len(text) && (text[exponent] == '+' || text[exponent] == '-') {
			exponent++
		}
		end = skipDigits(text, exponent)
		if end == exponent {
			return token{}, 0, invalidAt(text, end, "expected the digits of an exponent")
		}
	}
	if next, _ := utf8.DecodeRuneInString(text[end:]); startsName(next) || next == '.' {
		return token{}, 0, invalidAt(text, end, "expected an operator after the number %s, not %q", text[at:end], next)
	}
	value, err := strconv.ParseFloat(text[at:end], 64)
	if errors.Is(err, strconv.ErrRange) || math.IsInf(value, 0) {
		return token{}, 0, invalidAt(text, at, "the number %s is too large", text[at:end])
	}
	if err != nil {
		return token{}, 0, invalidAt(text, at, "%s is not a number", text[at:end])
	}
	return token{kind: numberToken, text: text[at:end], value: value, at: at}, end, nil
}

func scanQuoted(text string, at int) (token, int, error) {
	quote := text[at]
	length := strings.IndexByte(text[at+1:], quote)
	if length < 0 {
		return token{}, 0, invalidAt(text, len(text), "expected %q to end the name that begins at character %d",
			quote, utf8.RuneCountInString(text[:at])+1)
	}
	if length == 0 {
		return token{}, 0, invalidAt(text, at, "expected a name between the quotes")
	}
	name := text[at+1 : at+1+length]
	if strings.IndexFunc(name, unicode.IsControl) >= 0 {
		return token{}, 0, invalidAt(text, at, "a name must not contain control characters")
	}
	return token{kind: quotedToken, text: name, at: at}, at + length + 2, nil
}

func skipDigits(text string, at int) int {
	for at < len(text) && isDigit(rune(text[at])) {
		at++
	}
	return at
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func startsName(r rune) bool {
	return r == '_' || r != utf8.RuneError && unicode.IsLetter(r)
}

// nameLength returns the length in bytes of the name at the start of a text.
func nameLength(text string) int {
	end := strings.IndexFunc(text, func(r rune) bool { return !startsName(r) && !unicode.IsDigit(r) })
	if end < 0 {
		return len(text)
	}
	return end
}
