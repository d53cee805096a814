// Package nearest finds the name that somebody probably meant. It must never know what the
// names are of.
package nearest

import "strings"

const (
	// lettersPerSlip is how many letters a word must have for each slip in it.
	lettersPerSlip = 3

	// minPrefix is how many letters of a name identify it.
	minPrefix = 3

	// minSlipLetters is how many letters make it unlikely that two words are alike by chance, and longWord how many do with two slips.
	minSlipLetters, longWord = 4, 9

	// maxWord is longer than any name, and bounds the time that a comparison takes.
	maxWord = 64
)

// To returns the name closest to a word: the one with the fewest slips, if they are few for
// the length of the word, or else the only one that begins with the word.
func To(word string, names []string) (name string, ok bool) {
	if word == "" || len(word) > maxWord {
		return "", false
	}
	if name, ok = within(max(1, len(word)/lettersPerSlip), word, names); ok {
		return name, true
	}
	return beginning(word, names)
}

// within returns the name closest to a word, if it is at most so many slips away.
func within(most int, word string, names []string) (name string, ok bool) {
	fewest := most + 1
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

// Slip returns the name that a word is a misspelling of. Unlike To, it is for words that may well be right: it wants a word
// with one slip, or two in a long one, and never takes a beginning for a name.
func Slip(word string, names []string) (name string, ok bool) {
	if len(word) < minSlipLetters || len(word) > maxWord {
		return "", false
	}
	most := 1
	if len(word) >= longWord {
		most = 2
	}
	if name, ok = within(most, word, names); len(name) < minSlipLetters {
		return "", false
	}
	return name, ok
}

// Hint returns the end of a message about a word that is none of some names: "; did you mean …?", or nothing.
func Hint(word string, names []string) string {
	if name, ok := To(word, names); ok {
		return "; did you mean " + name + "?"
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

// fold maps spellings that mean the same to one: "In-Flight" is "in_flight".
func fold(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

// slips counts the letters to insert, drop, replace or swap with the next one that turn one
// word into another.
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
