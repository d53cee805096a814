package wmts

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

// writer writes XML as it goes, so that a document of any length takes little memory. The names of elements have the
// prefixes that clients with simple parsers look for; encoding/xml would write its own. An error stays until flush.
type writer struct {
	to    *bufio.Writer
	depth int
}

func newWriter(to io.Writer) *writer {
	w := newPart(to, 0)
	w.to.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	return w
}

// newPart writes a part of a document, at a depth.
func newPart(to io.Writer, depth int) *writer { return &writer{to: bufio.NewWriter(to), depth: depth} }

func (w *writer) flush() error { return w.to.Flush() }

// raw writes XML that was written before, at the depth where it belongs.
func (w *writer) raw(text []byte) { w.to.Write(text) }

// open begins an element. Attributes are names, each with its value behind it.
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

// empty is an element that has attributes only.
func (w *writer) empty(name string, attributes ...string) {
	w.indent()
	w.tag(name, attributes, "/>\n")
}

// element is one with a text.
func (w *writer) element(name, text string, attributes ...string) {
	w.indent()
	w.tag(name, attributes, ">")
	escapeText.WriteString(w.to, text)
	w.end(name)
	w.to.WriteByte('\n')
}

// optional is an element that is left out where there is no text.
func (w *writer) optional(name, text string) {
	if text != "" {
		w.element(name, text)
	}
}

// line is an element with others that have a text each, all on one line: there are many of those. Names have their texts
// behind them.
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

// number is in the form that all readers of XML know.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
