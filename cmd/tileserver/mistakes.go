package main

import (
	"errors"
	"fmt"
	"maps"
	"strings"
)

// configMistake is an error in the configuration. It is errUsage.
type configMistake struct {
	line int    // in the configuration file; 0 if the mistake is not there
	path string // of the key or entry; "" if it is that of the whole file
	text string // with the line and the key
}

func (m configMistake) Error() string { return m.text }

// Is makes it errUsage.
func (m configMistake) Is(target error) bool { return target == errUsage }

// configSource tells where the values of a configuration are written.
type configSource struct {
	file  string
	lines map[string]int // of keys in the file, by path; see strictyaml.Lines
}

// override notes that an option replaces what the file says.
func (s *configSource) override(option string) {
	key := strings.ReplaceAll(option, "-", "_")
	if _, ok := s.lines[key]; ok {
		s.lines = maps.Clone(s.lines)
		delete(s.lines, key)
	}
}

// has reports whether a key is in the file; a nil source has none.
func (s *configSource) has(path string) bool {
	if s == nil {
		return false
	}
	_, ok := s.lines[path]
	return ok
}

// place is where the value of a key is written, to begin a message with: a line of the file
// and the key, or an option. The line of a key that is missing is that of what it is missing
// from.
func (s *configSource) place(path string) string {
	if line := s.line(path); line > 0 {
		return fmt.Sprintf("%s:%d: %s", s.file, line, path)
	}
	if strings.ContainsAny(path, "[.") {
		return path
	}
	return dashed(strings.ReplaceAll(path, "_", "-"))
}

// line is the line of a key, or of what it is missing from; 0 if neither is in the file.
func (s *configSource) line(path string) int {
	for at := path; at != ""; at = parentOf(at) {
		if s.has(at) {
			return s.lines[at]
		}
	}
	return 0
}

// parentOf is the path of what a key or an entry is part of.
func parentOf(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}

// mistake is an error in the value of a key.
func (s *configSource) mistake(path, format string, arguments ...any) error {
	return configMistake{s.line(path), path, s.place(path) + ": " + fmt.Sprintf(format, arguments...)}
}

// configPlace is where the configuration describes something: a layer, a style, a path.
type configPlace struct {
	source *configSource
	path   string
}

func (s *configSource) at(format string, arguments ...any) configPlace {
	return configPlace{s, fmt.Sprintf(format, arguments...)}
}

func (p configPlace) at(format string, arguments ...any) configPlace {
	return p.source.at("%s.%s", p.path, fmt.Sprintf(format, arguments...))
}

// isWritten reports whether the configuration file has it.
func (p configPlace) isWritten() bool { return p.source.has(p.path) }

// keyWords is how many words at the beginning of an error may be the key that it is about.
const keyWords = 3

// mistake is an error in what is described there. Where the error begins with one of its keys,
// as errors in styles do, it is placed at that key. Several errors are placed one by one.
func (p configPlace) mistake(err error) error {
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
