// Package expression evaluates band math such as "(b4-b3)/(b4+b3)": it parses the text, compiles it
// for the bands of a dataset and runs it over planes of samples. Packages display and http call it.
// It must never know where samples come from, what results are used for, or who asked.
//
// Words:
//
//   - A Source is a well-formed text. Its bands are not resolved yet.
//   - A Program is a compiled Source: names are bands, types fit and the cost is limited.
//   - A Plane holds the samples of one band that a Program reads. A Result takes its output.
//
// The language is the numeric part of numexpr with the precedence of Python: bands, numbers, pi, e,
// nan, inf, True and False; + - * / // % **; comparisons; & | ~ or and, or, not on booleans; and
// the functions in definitions. A boolean used as a number is 0 or 1. where accepts every number
// except 0 as true. min and max compare values of the same pixel. & and | do not operate on bits of
// numbers.
//
// All computation uses 64-bit floats. Sums and products of two samples of up to 24 bits are then
// exact, 32-bit samples keep all of their bits, and a result in 32 bits is rounded visibly only
// once. Every operation rounds once, and no processor-specific function is used, so that all
// machines compute the same bits.
package expression

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Limits of an expression. MaxCost is in the units of Program.Cost.
const (
	MaxBytes   = 4096
	MaxNodes   = 512
	MaxDepth   = 64
	MaxOutputs = 4
	MaxCost    = 1000
)

// ErrInvalid matches every error about an expression.
var ErrInvalid = errors.New("invalid expression")

// An Error tells a person what is wrong with an expression, and where.
type Error struct {
	// Position is the number of the character, counted from 1. The end of the text is one after
	// the last character. It is 0 if the error concerns the whole expression.
	Position int
	Message  string
}

func (e *Error) Error() string {
	if e.Position == 0 {
		return fmt.Sprintf("%v: %s", ErrInvalid, e.Message)
	}
	return fmt.Sprintf("%v at character %d: %s", ErrInvalid, e.Position, e.Message)
}

func (e *Error) Unwrap() error { return ErrInvalid }

func invalid(format string, arguments ...any) error {
	return &Error{Message: fmt.Sprintf(format, arguments...)}
}

// invalidAt returns an error at a byte of the text.
func invalidAt(text string, at int, format string, arguments ...any) error {
	return &Error{
		Position: utf8.RuneCountInString(text[:at]) + 1,
		Message:  fmt.Sprintf(format, arguments...),
	}
}

// BandNumber parses the name of a band by number: "b1" is band 0. It reports false for other names
// and for numbers above bands.
func BandNumber(name string, bands int) (band int, ok bool) {
	const maxDigits = 9
	if len(name) < 2 || len(name) > 1+maxDigits || name[0] != 'b' || name[1] == '0' {
		return 0, false
	}
	for _, digit := range []byte(name[1:]) {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		band = 10*band + int(digit-'0')
	}
	return band - 1, band <= bands
}
