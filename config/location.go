package config

import (
	"errors"
	"fmt"
	"strings"
)

// A Location is where a layer, a style or a path is written in the configuration.
type Location struct {
	document *document
	path     string
}

// At returns the location of a key or an entry, such as layers[0].
func (c *Config) At(format string, arguments ...any) Location {
	return Location{&c.document, fmt.Sprintf(format, arguments...)}
}

// At returns the location of a key below this one.
func (l Location) At(key string) Location { return Location{l.document, l.path + "." + key} }

// entry returns the location of an entry of a list.
func (l Location) entry(index int) Location {
	return Location{l.document, fmt.Sprintf("%s[%d]", l.path, index)}
}

// IsWritten reports whether the configuration file contains a value at the location.
func (l Location) IsWritten() bool { return l.document.has(l.path) }

// String returns the start of a message about it: the line of the file and the key, or the option.
func (l Location) String() string { return l.document.location(l.path) }

// Mistakef returns an error in the value there.
func (l Location) Mistakef(format string, arguments ...any) error {
	return l.document.mistake(l.path, format, arguments...)
}

// keyWords is how many words at the beginning of an error may be the key that it is about.
const keyWords = 3

// Mistake returns an error at the location. If the error begins with one of the keys there, as
// errors in styles do, it is reported at that key. Several errors are reported one by one.
func (l Location) Mistake(err error) error {
	if several := (styleMistakes)(nil); errors.As(err, &several) {
		var found Mistakes
		for _, one := range several {
			found.Add(l.Mistake(one))
		}
		return found.Err()
	}
	text := err.Error()
	words := strings.Fields(text)
	for i, word := range words[:min(keyWords, len(words))] {
		own := l.At(strings.TrimSuffix(word, ":"))
		if !own.IsWritten() {
			continue
		}
		if i == 0 {
			text = strings.TrimPrefix(text, word+" ")
		}
		return own.Mistakef("%s", text)
	}
	return l.Mistakef("%s", text)
}
