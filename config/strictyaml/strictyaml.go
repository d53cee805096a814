// Package strictyaml decodes YAML into structs. It reports all mistakes at once, each with its
// line, its key, and the key that was probably meant. It must never know what the keys mean.
//
// Words: a *path* locates a value, such as layers[0].title; a *mistake* is an error on a line of
// the document; a *tree* is a parsed value with aliases and merged keys resolved.
package strictyaml

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Mistake is an error on a line of a document.
type Mistake struct {
	Line int    // from 1
	Path string // of the key or entry, such as "layers[0].title"; "" for the whole document
	Text string // with the path
}

// Mistakes lists all errors in a document, in the order of their lines.
type Mistakes []Mistake

// Error returns a line of text for each mistake.
func (m Mistakes) Error() string { return m.In("line ") }

// In returns a line of text for each mistake that starts with document and the line number. The
// document may be "my.yaml:".
func (m Mistakes) In(document string) string {
	var lines []string
	for _, mistake := range m {
		lines = append(lines, fmt.Sprintf("%s%d: %s", document, mistake.Line, mistake.Text))
	}
	return strings.Join(lines, "\n")
}

// Lines maps the path of each key, such as "layers[0].title", to its line.
type Lines map[string]int

// maxMistakes is how many mistakes are reported at once.
const maxMistakes = 100

// Unmarshal decodes a document into a struct, whose "yaml" tags name the keys. Keys that the
// document lacks keep their values. The error is Mistakes.
func Unmarshal(text []byte, into any) (Lines, error) {
	root, mistakes := parse(text)
	d := decoder{lines: make(Lines), mistakes: mistakes}
	if root != nil {
		d.decode("", root, reflect.ValueOf(into).Elem())
	}
	return d.lines, d.mistakes.sorted()
}

// Value decodes a document as maps, lists and scalar values.
func Value(text []byte) (any, error) {
	root, mistakes := parse(text)
	if root == nil || len(mistakes) > 0 {
		return nil, mistakes.sorted()
	}
	d := decoder{lines: make(Lines)}
	value := d.value("", root)
	return value, d.mistakes.sorted()
}

// sorted returns the mistakes in the order of their lines, or nil if there are none.
func (m Mistakes) sorted() error {
	if len(m) == 0 {
		return nil
	}
	slices.SortStableFunc(m, func(a, b Mistake) int { return cmp.Compare(a.Line, b.Line) })
	return m[:min(len(m), maxMistakes)]
}

// parse parses a text with a single document. The root is nil if the text is empty or cannot be
// read as a whole.
func parse(text []byte) (root *tree, mistakes Mistakes) {
	documents := yaml.NewDecoder(bytes.NewReader(text))
	var first, second yaml.Node
	switch err := documents.Decode(&first); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, Mistakes{syntaxMistake(text, err)}
	}
	switch err := documents.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, Mistakes{syntaxMistake(text, err)}
	default:
		return nil, Mistakes{{Line: max(second.Line, 1), Text: "a second document begins here; there must be only one"}}
	}
	if len(first.Content) == 0 {
		return nil, nil
	}
	p := treeBuilder{expanding: make(map[*yaml.Node]bool)}
	if root = p.build(first.Content[0]); p.isCut {
		return nil, p.mistakes // with values missing, further mistakes would be false
	}
	return root, p.mistakes
}
