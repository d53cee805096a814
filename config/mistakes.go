package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Mistake is an error in the configuration.
type Mistake struct {
	line int    // in the configuration file; 0 if it is not in the file
	path string // of the key or entry; "" for the whole file
	text string // with the line and the key
}

func (m Mistake) Error() string { return m.text }

// document records where the values of a configuration are written.
type document struct {
	file    string
	lines   map[string]int // of keys in the file, by path; see strictyaml.Lines
	options []string       // keys that options set
}

// File returns the name of the configuration file, or "".
func (c *Config) File() string { return c.document.file }

// IsSet reports whether the file or an option sets a key of the top level.
func (c *Config) IsSet(key string) bool {
	return c.document.has(key) || slices.Contains(c.document.options, key)
}

// Override records that an option sets a key, in place of the file.
func (c *Config) Override(option string) {
	key := strings.ReplaceAll(option, "-", "_")
	c.document.options = append(slices.Clip(c.document.options), key)
	if _, ok := c.document.lines[key]; ok {
		c.document.lines = maps.Clone(c.document.lines)
		delete(c.document.lines, key)
	}
}

// has reports whether a key is in the file. A nil document has no keys.
func (d *document) has(path string) bool {
	if d == nil {
		return false
	}
	_, ok := d.lines[path]
	return ok
}

// location returns the start of a message about a key: the line of the file and the key, or the
// option. A missing key has the line of its parent.
func (d *document) location(path string) string {
	if line := d.line(path); line > 0 {
		return fmt.Sprintf("%s:%d: %s", d.file, line, path)
	}
	if strings.ContainsAny(path, "[.") {
		return path
	}
	return "--" + strings.ReplaceAll(path, "_", "-")
}

// line returns the line of a key, or of its nearest parent; 0 if neither is in the file.
func (d *document) line(path string) int {
	for at := path; at != ""; at = parentOf(at) {
		if d.has(at) {
			return d.lines[at]
		}
	}
	return 0
}

// parentOf returns the path of the parent of a key or an entry.
func parentOf(path string) string {
	return path[:max(strings.LastIndexAny(path, ".["), 0)]
}

// mistake returns an error in the value of a key.
func (d *document) mistake(path, format string, arguments ...any) error {
	return Mistake{d.line(path), path, d.location(path) + ": " + fmt.Sprintf(format, arguments...)}
}
