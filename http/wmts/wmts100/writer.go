package wmts100

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

const (
	namespaceOWS   = "http://www.opengis.net/ows/1.1"
	namespaceWMTS  = "http://www.opengis.net/wmts/1.0"
	namespaceXLink = "http://www.w3.org/1999/xlink"
	namespaceXSI   = "http://www.w3.org/2001/XMLSchema-instance"
)

// writer streams XML, so that a document of any length needs little memory. Its elements have the
// prefixes that clients with simple parsers expect; encoding/xml would write others. Errors are
// reported by flush.
type writer struct {
	to    *bufio.Writer
	depth int
}

func newWriter(to io.Writer) *writer {
	w := newFragment(to, 0)
	w.to.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	return w
}

// newFragment returns a writer of a part of a document, at a depth.
func newFragment(to io.Writer, depth int) *writer {
	return &writer{to: bufio.NewWriter(to), depth: depth}
}

func (w *writer) flush() error { return w.to.Flush() }

// raw writes XML that a writer encoded before at the same depth.
func (w *writer) raw(text []byte) { w.to.Write(text) }

// open begins an element. attributes alternates names and values.
func (w *writer) open(name string, attributes ...string) {
	w.indent()
	w.tag(name, attributes, ">\n")
	w.depth++
}

func (w *writer) close(name string) {
	w.depth--
	w.indent()
	w.end(name)
	w.to.WriteByte('\n')
}

// empty writes an element without content.
func (w *writer) empty(name string, attributes ...string) {
	w.indent()
	w.tag(name, attributes, "/>\n")
}

// element writes an element with a text.
func (w *writer) element(name, text string, attributes ...string) {
	w.indent()
	w.tag(name, attributes, ">")
	escapeText.WriteString(w.to, text)
	w.end(name)
	w.to.WriteByte('\n')
}

// optional writes an element unless its text is empty.
func (w *writer) optional(name, text string) {
	if text != "" {
		w.element(name, text)
	}
}

// line writes an element and its children on one line, for elements that occur often. elements
// alternates names and texts.
func (w *writer) line(name string, elements ...string) {
	w.indent()
	w.tag(name, nil, ">")
	for i := 0; i+1 < len(elements); i += 2 {
		w.tag(elements[i], nil, ">")
		escapeText.WriteString(w.to, elements[i+1])
		w.end(elements[i])
	}
	w.end(name)
	w.to.WriteByte('\n')
}

func (w *writer) indent() {
	for range w.depth {
		w.to.WriteByte(' ')
	}
}

func (w *writer) tag(name string, attributes []string, end string) {
	w.to.WriteByte('<')
	w.to.WriteString(name)
	for i := 0; i+1 < len(attributes); i += 2 {
		w.to.WriteByte(' ')
		w.to.WriteString(attributes[i])
		w.to.WriteString(`="`)
		escapeText.WriteString(w.to, attributes[i+1])
		w.to.WriteByte('"')
	}
	w.to.WriteString(end)
}

func (w *writer) end(name string) {
	w.to.WriteString("</")
	w.to.WriteString(name)
	w.to.WriteByte('>')
}

var escapeText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// number formats v without an exponent, as all XML readers can parse it.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
