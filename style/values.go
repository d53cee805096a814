package style

import (
	"net/url"
	"strconv"
)

// Values returns a style as parameters: Parse makes the same style of them.
func Values(s Style) url.Values {
	values := make(url.Values)
	for i := range parameters {
		if own := &parameters[i]; own.texts != nil {
			if texts := own.texts(&s); texts != nil {
				values[own.Name] = texts
			}
		}
	}
	return values
}

// textIf returns a single value if a parameter is given.
func textIf(given bool, text string) []string {
	if !given {
		return nil
	}
	return []string{text}
}

// number formats a number with all its digits.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
