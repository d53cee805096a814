// Package wkt parses well-known text, the nested lists that describe reference systems. It must
// never know what the words mean.
package wkt

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrCorrupt means that a text is not well-known text.
	ErrCorrupt = errors.New("corrupt well-known text")
	// ErrLimit means that a text is longer or nested deeper than is reasonable.
	ErrLimit = errors.New("well-known text over the limit")
)

// Limits of a text.
const (
	maxBytes = 64 << 10
	maxDepth = 32
)

// Node is a keyword with its list.
type Node struct {
	Keyword  string   // in upper case
	Values   []string // texts without quotation marks, numbers and bare words
	Children []*Node
}

// Child returns the first node in the list with one of these keywords, or nil. A nil node has no
// children.
func (n *Node) Child(keywords ...string) *Node {
	if n == nil {
		return nil
	}
	for _, child := range n.Children {
		for _, keyword := range keywords {
			if child.Keyword == keyword {
				return child
			}
		}
	}
	return nil
}

// Value returns the i-th value, or an empty text.
func (n *Node) Value(i int) string {
	if n == nil || i >= len(n.Values) {
		return ""
	}
	return n.Values[i]
}

// Parse parses a text of one node, or the first one of a list: ESRI appends the heights.
func Parse(text string) (*Node, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%d bytes: %w", len(text), ErrLimit)
	}
	p := parser{rest: text}
	word, err := p.word()
	if err != nil {
		return nil, err
	}
	n, err := p.list(word, 1)
	if next := p.peek(); err == nil && next != 0 && next != ',' {
		err = p.unexpected()
	}
	if err != nil {
		return nil, err
	}
	return n, nil
}

type parser struct{ rest string }

// peek skips white space and returns the next character, or 0 at the end.
func (p *parser) peek() byte {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *parser) unexpected() error {
	if p.rest == "" {
		return fmt.Errorf("it ends too soon: %w", ErrCorrupt)
	}
	return fmt.Errorf("at %.20q: %w", p.rest, ErrCorrupt)
}

// list parses the list after a word.
func (p *parser) list(word string, depth int) (*Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("lists within %d others: %w", maxDepth, ErrLimit)
	}
	end := map[byte]byte{'[': ']', '(': ')'}[p.peek()]
	if end == 0 {
		return nil, p.unexpected()
	}
	n := &Node{Keyword: strings.ToUpper(word)}
	for {
		p.rest = p.rest[1:] // the bracket, or a comma
		if err := p.member(n, depth); err != nil {
			return nil, err
		}
		switch p.peek() {
		case ',':
		case end:
			p.rest = p.rest[1:]
			return n, nil
		default:
			return nil, p.unexpected()
		}
	}
}

// member parses a value of a list, or a nested list.
func (p *parser) member(n *Node, depth int) error {
	if p.peek() == '"' {
		text, err := p.quoted()
		n.Values = append(n.Values, text)
		return err
	}
	word, err := p.word()
	if err != nil {
		return err
	}
	if next := p.peek(); next != '[' && next != '(' {
		n.Values = append(n.Values, word)
		return nil
	}
	child, err := p.list(word, depth+1)
	n.Children = append(n.Children, child)
	return err
}

// quoted parses a quoted text, in which two quotation marks mean one.
func (p *parser) quoted() (string, error) {
	var text strings.Builder
	for {
		end := strings.IndexByte(p.rest[1:], '"')
		if end < 0 {
			return "", fmt.Errorf("a text without an end: %w", ErrCorrupt)
		}
		text.WriteString(p.rest[1 : 1+end])
		p.rest = p.rest[end+2:]
		if p.rest == "" || p.rest[0] != '"' {
			return text.String(), nil
		}
		text.WriteByte('"')
	}
}

// word parses a bare word or a number.
func (p *parser) word() (string, error) {
	p.peek()
	end := strings.IndexAny(p.rest, " \t\r\n[](),\"")
	if end < 0 {
		end = len(p.rest)
	}
	if end == 0 {
		return "", p.unexpected()
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word, nil
}
