package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// maxMistakesTold is how many mistakes are told at once.
const maxMistakesTold = 20

// mistakes collects what is wrong with a configuration, so that all of it is told at once.
type mistakes struct{ all []error }

// add takes an error, or each of a list. It leaves out a mistake in the whole of something of
// which a part could not be read: mostly it follows from that.
func (m *mistakes) add(err error) {
	for _, one := range toldOf(err) {
		mistake := configMistake{}
		if !errors.As(one, &mistake) || !m.isSpoiled(mistake.path) {
			m.all = append(m.all, one)
		}
	}
}

// isSpoiled reports whether there is a mistake in what has a path, or in a part of it.
func (m *mistakes) isSpoiled(path string) bool {
	return slices.ContainsFunc(m.all, func(err error) bool {
		known := configMistake{}
		return errors.As(err, &known) && isPartOf(known.path, path)
	})
}

// isAbout reports whether there is a mistake in just what has a path.
func (m *mistakes) isAbout(path string) bool {
	return slices.ContainsFunc(m.all, func(err error) bool {
		known := configMistake{path: "-"}
		return errors.As(err, &known) && known.path == path
	})
}

// isPartOf reports whether a path is that of a whole, or of a part of it.
func isPartOf(path, whole string) bool {
	rest, ok := strings.CutPrefix(path, whole)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// err is all that was found, in the order of the lines; nil if nothing was.
func (m *mistakes) err() error {
	if len(m.all) == 0 {
		return nil
	}
	sorted := slices.Clone(m.all)
	slices.SortStableFunc(sorted, func(a, b error) int { return cmp.Compare(lineOf(a), lineOf(b)) })
	return mistakeList(sorted)
}

// lineOf is the line of a mistake in the configuration file, and 0 for one in an option. Other
// errors come last.
func lineOf(err error) int {
	mistake := configMistake{line: math.MaxInt}
	errors.As(err, &mistake)
	return mistake.line
}

// mistakeList is several errors, at least one.
type mistakeList []error

// Error has a line of text for each error, as far as they are told.
func (l mistakeList) Error() string {
	var lines []string
	for _, err := range l[:min(len(l), maxMistakesTold)] {
		lines = append(lines, err.Error())
	}
	if more := len(l) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and further mistakes, %d at least", more))
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes the list be what its errors are.
func (l mistakeList) Unwrap() []error { return l }

// isConfigMistake reports whether an error has mistakes of the configuration in it.
func isConfigMistake(err error) bool { return errors.As(err, new(configMistake)) }

// toldOf is each error of a list, or the only one.
func toldOf(err error) []error {
	if several := (mistakeList)(nil); errors.As(err, &several) {
		return several
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
