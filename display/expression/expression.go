// Package expression computes with bands: it parses what people write, as "(b4-b3)/(b4+b3)",
// settles it for the bands of a dataset and runs it over planes of samples. It must never know
// where the samples come from, what becomes of the results, or who asked.
//
// The words
//
//   - A Source is text that is well formed; nothing is known of its bands yet.
//   - A Program is a Source whose names are bands, whose types fit and whose cost is bounded.
//   - A Plane is the samples of one band that a Program reads; a Result takes what it computes.
//
// The language is that of numexpr, as far as it is about numbers, with Python's precedence: bands,
// numbers, pi, e, nan, inf, True and False; + - * / // % **, comparisons, & | ~ or and, or, not of
// what they give; and the functions of the table of definitions. A boolean is 0 or 1 where a number
// is wanted; where takes any number but 0 for true; min and max are of a pixel's values; & and | do
// not join the bits of numbers.
//
// Everything is computed in 64-bit floating point, because the sum and the product of two samples
// of 16 or even 24 bits are then exact, samples of 32 bits keep all of theirs, and a result that
// is rounded to 32 bits has a single visible rounding. Every operation rounds once, by itself, and
// no function of an architecture's own is used, so that all machines compute the same bits.
package expression

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// What is accepted of an expression. The cost is that of Program.Cost.
const (
	MaxBytes   = 4096
	MaxNodes   = 512
	MaxDepth   = 64
	MaxOutputs = 4
	MaxCost    = 1000
)

// ErrInvalid is in the chain of every error about an expression.
var ErrInvalid = errors.New("invalid expression")

// Error tells a person what is wrong with an expression, and where.
type Error struct {
	// Position counts characters from 1; the end of the text is one behind the last. It is 0
	// where the whole expression is at fault.
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

// invalidAt is an error at a byte of the text.
func invalidAt(text string, at int, format string, arguments ...any) error {
	return &Error{
		Position: utf8.RuneCountInString(text[:at]) + 1,
		Message:  fmt.Sprintf(format, arguments...),
	}
}

// Numbered reads the names that bands have by their place: "b1" is band 0 of any number of bands.
func Numbered(name string, bands int) (band int, ok bool) {
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
