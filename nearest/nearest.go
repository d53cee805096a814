// Package nearest finds the name that a misspelled word probably means. It must never know what the
// names stand for.
//
// Words: a *slip* is one wrong, missing, extra or swapped letter.
package nearest

import (
	"fmt"
	"strings"
)

const (
	// lettersPerSlip is how many letters a word must have for each tolerated slip.
	lettersPerSlip = 3

	// minPrefix is how many letters of a name identify it.
	minPrefix = 3

	// minSlipLetters is the length from which one slip is unlikely to be a coincidence; longWord is
	// that length for two slips.
	minSlipLetters, longWord = 4, 9

	// maxWord bounds the time of a comparison. It exceeds the length of any name.
	maxWord = 64
)

// To returns the name closest to a word: the one with the fewest slips, if these are few for the
// length of the word. Otherwise it returns the only name that begins with the word.
func To(word string, names []string) (name string, ok bool) {
	if word == "" || len(word) > maxWord {
		return "", false
	}
	if name, ok = within(max(1, len(word)/lettersPerSlip), word, names); ok {
		return name, true
	}
	return beginning(word, names)
}

// within returns the name closest to a word, if it has at maxSlips maxSlips slips.
func within(maxSlips int, word string, names []string) (name string, ok bool) {
	fewest := maxSlips + 1
	for _, candidate := range names {
		if max(len(word)-len(candidate), len(candidate)-len(word)) >= fewest {
			continue
		}
		if n := slips(fold(word), fold(candidate)); n < fewest {
			name, fewest, ok = candidate, n, true
		}
	}
	return name, ok
}

// Slip returns the name of which a word is a misspelling. Unlike To, it suits words that may well
// be correct: it accepts one slip, or two in a long word, and no prefixes.
func Slip(word string, names []string) (name string, ok bool) {
	if len(word) < minSlipLetters || len(word) > maxWord {
		return "", false
	}
	maxSlips := 1
	if len(word) >= longWord {
		maxSlips = 2
	}
	if name, ok = within(maxSlips, word, names); len(name) < minSlipLetters {
		return "", false
	}
	return name, ok
}

// Hint returns the end of an error message about an unknown word, `; did you mean "…"?`, or nothing.
func Hint(word string, names []string) string {
	if name, ok := To(word, names); ok {
		return fmt.Sprintf("; did you mean %q?", name)
	}
	return ""
}

// beginning returns the only name that begins with a word.
func beginning(word string, names []string) (name string, ok bool) {
	if len(word) < minPrefix {
		return "", false
	}
	for _, candidate := range names {
		if strings.HasPrefix(fold(candidate), fold(word)) {
			if ok {
				return "", false
			}
			name, ok = candidate, true
		}
	}
	return name, ok
}

// fold maps equivalent spellings to one: "In-Flight" becomes "in_flight".
func fold(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

// slips counts the letters to insert, drop, replace or swap with the next one that turn one word
// into the other.
func slips(from, to string) int {
	before, last, row := make([]int, len(to)+1), make([]int, len(to)+1), make([]int, len(to)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(from); i++ {
		row[0] = i
		for j := 1; j <= len(to); j++ {
			replaced := last[j-1]
			if from[i-1] != to[j-1] {
				replaced++
			}
			row[j] = min(replaced, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(to)]
}
