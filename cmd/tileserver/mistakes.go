package main

import (
	"fmt"
	"maps"
	"strings"
)

// configMistake is the text of an error in the configuration. It is errUsage.
type configMistake string

func (m configMistake) Error() string { return string(m) }

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

// has reports whether a key is in the file.
func (s *configSource) has(path string) bool {
	_, ok := s.lines[path]
	return ok
}

// place is where the value of a key is written, to begin a message with: a line of the file
// and the key, or an option. The line of a key that is missing is that of what it is missing
// from.
func (s *configSource) place(path string) string {
	for at := path; at != ""; at = parentOf(at) {
		if line, ok := s.lines[at]; ok {
			return fmt.Sprintf("%s:%d: %s", s.file, line, path)
		}
	}
	if strings.ContainsAny(path, "[.") {
		return path
	}
	return dashed(strings.ReplaceAll(path, "_", "-"))
}

// parentOf is the path of what a key or an entry is part of.
func parentOf(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}

// mistake is an error in the value of a key.
func (s *configSource) mistake(path, format string, arguments ...any) error {
	return configMistake(s.place(path) + ": " + fmt.Sprintf(format, arguments...))
}

// mistakeOf is an error in what lies at a path. Where the error begins with one of the keys
// there, as errors of styles do, it is placed at that key.
func (s *configSource) mistakeOf(path string, err error) error {
	key, rest, _ := strings.Cut(err.Error(), " ")
	if at := path + "." + strings.TrimSuffix(key, ":"); s.has(at) {
		return s.mistake(at, "%s", rest)
	}
	return s.mistake(path, "%v", err)
}

// joinMistakes makes one error of several, with a line for each; nil of none.
func joinMistakes(mistakes []error) error {
	var lines []string
	for _, mistake := range mistakes {
		if mistake != nil {
			lines = append(lines, mistake.Error())
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return configMistake(strings.Join(lines, "\n"))
}
