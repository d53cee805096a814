package expression

import "unicode/utf8"

// A Source is a well-formed expression. It is immutable.
type Source struct {
	text    string
	nodes   []node // operands precede the nodes that use them
	outputs []int32
}

// String returns the text that was parsed.
func (s *Source) String() string { return s.text }

// A node is a number, a band or an operation on up to three nodes.
type node struct {
	operation operation
	operands  [maxOperands]int32
	value     float64 // of a constant
	name      string  // of a band
	at        int     // byte of the text for error messages
}

// Parse parses one expression, or several separated by ";", each an output. It checks only the
// syntax; Compile checks bands and types.
func Parse(text string) (*Source, error) {
	if len(text) > MaxBytes {
		return nil, invalid("%d bytes exceed the limit of %d", len(text), MaxBytes)
	}
	if !utf8.ValidString(text) {
		return nil, invalid("it is not UTF-8")
	}
	p := parser{source: &Source{text: text}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.outputs(); err != nil {
		return nil, err
	}
	return p.source, nil
}
