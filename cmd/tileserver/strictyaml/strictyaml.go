// Package strictyaml reads YAML into structs, and explains mistakes in the words of whoever
// wrote the file: the line, the key, and the key that was probably meant. It must never know
// what the keys are for.
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

// Mistake is something wrong on a line of a document.
type Mistake struct {
	Line int    // from 1
	Path string // of the key or entry, such as "layers[0].title"; "" for the whole document
	Text string // with the path
}

// Mistakes are all that is wrong with a document, in the order of its lines.
type Mistakes []Mistake

// Error has a line of text for each mistake.
func (m Mistakes) Error() string { return m.In("line ") }

// In puts the name of the document before each line number, as "my.yaml:" does.
func (m Mistakes) In(document string) string {
	var lines []string
	for _, mistake := range m {
		lines = append(lines, fmt.Sprintf("%s%d: %s", document, mistake.Line, mistake.Text))
	}
	return strings.Join(lines, "\n")
}

// Lines has the line of each key, by its path: "layers[0].title".
type Lines map[string]int

// maxMistakes is how many are reported at once.
const maxMistakes = 100

// Unmarshal reads a document into a struct. Keys are those of the tags named "yaml"; what the
// document leaves out stays as it is. The error is Mistakes.
func Unmarshal(text []byte, into any) (Lines, error) {
	root, mistakes := parse(text)
	d := decoder{lines: make(Lines), mistakes: mistakes}
	if root != nil {
		d.decode("", root, reflect.ValueOf(into).Elem())
	}
	return d.lines, d.mistakes.sorted()
}

// Value reads a document as maps, lists and plain values.
func Value(text []byte) (any, error) {
	root, mistakes := parse(text)
	if root == nil || len(mistakes) > 0 {
		return nil, mistakes.sorted()
	}
	d := decoder{lines: make(Lines)}
	value := d.value("", root)
	return value, d.mistakes.sorted()
}

// sorted returns nil if there are no mistakes.
func (m Mistakes) sorted() error {
	if len(m) == 0 {
		return nil
	}
	slices.SortStableFunc(m, func(a, b Mistake) int { return cmp.Compare(a.Line, b.Line) })
	return m[:min(len(m), maxMistakes)]
}

// parse reads the only document of a text; the root is nil if the text is empty, or cannot be
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
	p := planter{within: make(map[*yaml.Node]bool)}
	if root = p.plant(first.Content[0]); p.isCut {
		return nil, p.mistakes // values are missing, and whatever that makes wrong is no mistake
	}
	return root, p.mistakes
}
