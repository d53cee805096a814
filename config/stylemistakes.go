package config

import (
	"net/url"
	"strings"

	"tileserver/style"
)

// styleMistakes holds errors in several keys of one style.
type styleMistakes []error

// Error returns the text of all errors.
func (m styleMistakes) Error() string { return mistakeList(m).Error() }

// mistakesIn returns all errors in a style. Parsing reports only the first one, so mistakesIn
// deletes the key it names and parses the rest again.
func mistakesIn(query url.Values) error {
	var found styleMistakes
	for {
		_, err := style.Parse(query, style.Style{})
		if err == nil {
			return found
		}
		found = append(found, err)
		key := keyNamed(err.Error(), query)
		if key == "" {
			return found
		}
		for _, gone := range append(dependentKeys(key), key) {
			delete(query, gone)
		}
	}
}

// keyNamed returns the style key that an error begins with, or "".
func keyNamed(text string, query url.Values) string {
	words := strings.Fields(text)
	for _, word := range words[:min(keyWords, len(words))] {
		if key := strings.TrimSuffix(word, ":"); len(query[key]) > 0 {
			return key
		}
	}
	return ""
}

// dependentKeys returns the keys that have no meaning without another one.
func dependentKeys(key string) []string {
	var dependent []string
	for _, p := range style.Parameters() {
		if p.Needs == key {
			dependent = append(dependent, p.Name)
		}
	}
	return dependent
}
