package expression

import "unicode/utf8"

// A Source is an expression that is well formed.
type Source struct {
	text    string
	nodes   []node // operands lie before what is made of them
	outputs []int32
}

// A node is a number, a band or what an operation makes of up to three nodes.
type node struct {
	operation operation
	operands  [maxOperands]int32
	value     float64 // of a constant
	name      string  // of a band
	at        int     // the byte of the text that an error about it points to
}

// Parse reads one expression or several that ";" parts, each an output. It looks at nothing but
// the form: bands and types are Compile's.
func Parse(text string) (*Source, error) {
	if len(text) > MaxBytes {
		return nil, invalid("%d bytes are more than %d", len(text), MaxBytes)
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
