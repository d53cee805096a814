package main

import (
	"errors"
	"fmt"
	"maps"
	"strings"
)

// configMistake is an error in the configuration.
type configMistake struct {
	line int    // in the configuration file; 0 if it is not in the file
	path string // of the key or entry; "" for the whole file
	text string // with the line and the key
}

func (m configMistake) Error() string { return m.text }

// configSource records where the values of a configuration are written.
type configSource struct {
	file  string
	lines map[string]int // of keys in the file, by path; see strictyaml.Lines
}

// override records that an option replaces a value of the file.
func (s *configSource) override(option string) {
	key := strings.ReplaceAll(option, "-", "_")
	if _, ok := s.lines[key]; ok {
		s.lines = maps.Clone(s.lines)
		delete(s.lines, key)
	}
}

// has reports whether a key is in the file. A nil source has no keys.
func (s *configSource) has(path string) bool {
	if s == nil {
		return false
	}
	_, ok := s.lines[path]
	return ok
}

// location returns the start of a message about a key: the line of the file and the key, or the
// option. A missing key has the line of its parent.
func (s *configSource) location(path string) string {
	if line := s.line(path); line > 0 {
		return fmt.Sprintf("%s:%d: %s", s.file, line, path)
	}
	if strings.ContainsAny(path, "[.") {
		return path
	}
	return "--" + strings.ReplaceAll(path, "_", "-")
}

// line returns the line of a key, or of its nearest parent; 0 if neither is in the file.
func (s *configSource) line(path string) int {
	for at := path; at != ""; at = parentOf(at) {
		if s.has(at) {
			return s.lines[at]
		}
	}
	return 0
}

// parentOf returns the path of the parent of a key or an entry.
func parentOf(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}

// mistake returns an error in the value of a key.
func (s *configSource) mistake(path, format string, arguments ...any) error {
	return configMistake{s.line(path), path, s.location(path) + ": " + fmt.Sprintf(format, arguments...)}
}

// configLocation is the location of a layer, a style or a path in the configuration.
type configLocation struct {
	source *configSource
	path   string
}

func (s *configSource) at(format string, arguments ...any) configLocation {
	return configLocation{s, fmt.Sprintf(format, arguments...)}
}

func (p configLocation) at(format string, arguments ...any) configLocation {
	return p.source.at("%s.%s", p.path, fmt.Sprintf(format, arguments...))
}

// isWritten reports whether the configuration file contains it.
func (p configLocation) isWritten() bool { return p.source.has(p.path) }

// keyWords is how many words at the beginning of an error may be the key that it is about.
const keyWords = 3

// mistake returns an error at a location. If the error begins with one of the keys there, as errors
// in styles do, it is reported at that key. Several errors are reported one by one.
func (p configLocation) mistake(err error) error {
	if several := (styleMistakes)(nil); errors.As(err, &several) {
		var found mistakes
		for _, one := range several {
			found.add(p.mistake(one))
		}
		return found.err()
	}
	text := err.Error()
	words := strings.Fields(text)
	for i, word := range words[:min(keyWords, len(words))] {
		own := p.at("%s", strings.TrimSuffix(word, ":"))
		if !own.isWritten() {
			continue
		}
		if i == 0 {
			text = strings.TrimPrefix(text, word+" ")
		}
		return p.source.mistake(own.path, "%s", text)
	}
	return p.source.mistake(p.path, "%s", text)
}
