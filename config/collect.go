package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// maxReportedMistakes is how many mistakes are reported at once.
const maxReportedMistakes = 20

// Mistakes collects the errors in a configuration, so that all are reported at once.
type Mistakes struct{ all []error }

// MistakesIn returns the errors in err: all of them if Mistakes.Err returned it, else err alone.
func MistakesIn(err error) Mistakes { return Mistakes{errorsIn(err)} }

// Add adds an error, or each error of a list. It drops a mistake in a value of which a part is
// already known to be wrong, since it usually follows from that.
func (m *Mistakes) Add(err error) {
	for _, one := range errorsIn(err) {
		mistake := Mistake{}
		if !errors.As(one, &mistake) || !m.HasWithin(mistake.path) {
			m.all = append(m.all, one)
		}
	}
}

// HasWithin reports whether a mistake is known in the value at a path, or in a part of it.
func (m *Mistakes) HasWithin(path string) bool {
	return slices.ContainsFunc(m.all, func(err error) bool {
		known := Mistake{}
		return errors.As(err, &known) && isPartOf(known.path, path)
	})
}

// HasAt reports whether a mistake is known in exactly the value at a path.
func (m *Mistakes) HasAt(path string) bool {
	return slices.ContainsFunc(m.all, func(err error) bool {
		known := Mistake{path: "-"}
		return errors.As(err, &known) && known.path == path
	})
}

// isPartOf reports whether path equals whole or lies below it.
func isPartOf(path, whole string) bool {
	rest, ok := strings.CutPrefix(path, whole)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Err returns all mistakes in the order of their lines, or nil.
func (m *Mistakes) Err() error {
	if len(m.all) == 0 {
		return nil
	}
	sorted := slices.Clone(m.all)
	slices.SortStableFunc(sorted, func(a, b error) int { return cmp.Compare(lineOf(a), lineOf(b)) })
	return mistakeList(sorted)
}

// lineOf returns the line of a mistake in the configuration file, and 0 for one in an option. Other
// errors sort last.
func lineOf(err error) int {
	mistake := Mistake{line: math.MaxInt}
	errors.As(err, &mistake)
	return mistake.line
}

// mistakeList is a list of at least one error.
type mistakeList []error

// Error returns a line for each of the first maxReportedMistakes errors.
func (l mistakeList) Error() string {
	var lines []string
	for _, err := range l[:min(len(l), maxReportedMistakes)] {
		lines = append(lines, err.Error())
	}
	if more := len(l) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and further mistakes, %d at least", more))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors.
func (l mistakeList) Unwrap() []error { return l }

// IsMistake reports whether an error contains a mistake in the configuration.
func IsMistake(err error) bool { return errors.As(err, new(Mistake)) }

// errorsIn returns the errors of a list, or the only error.
func errorsIn(err error) []error {
	if several := (mistakeList)(nil); errors.As(err, &several) {
		return several
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
