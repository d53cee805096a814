// Package sicd reads what the XML in radar images says that their headers do not: of which kind the
// XML is, and the amplitudes that samples of SICD stand for. Package decode/nitf calls it with the
// content of data extensions. It must never know how pixels are stored.
package sicd

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tileserver/decode"
)

// ErrCorrupt marks XML that cannot be read.
var ErrCorrupt = decode.Corrupt("corrupt XML of a radar image")

// Root returns the name of the root element of a document of which the beginning is given, with its
// namespace: "SICD urn:SICD:1.0.0". It is empty if the beginning has none.
func Root(head []byte) string {
	d := decoder(bytes.NewReader(head))
	for {
		token, err := d.RawToken()
		if err != nil {
			return ""
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		words := []string{start.Name.Local}
		for _, a := range start.Attr {
			if a.Name.Local == "xmlns" || a.Name.Space == "xmlns" && a.Name.Local == start.Name.Space {
				words = append(words, a.Value)
				break
			}
		}
		return strings.Join(words, " ")
	}
}

func decoder(r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(r)
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // names and numbers are ASCII
	return d
}

// Amplitudes returns the table of the 256 amplitudes that samples of 8 bits stand for. It returns
// nil if the document has none: then the samples are the amplitudes.
func Amplitudes(document []byte) ([]float64, error) {
	d := decoder(bytes.NewReader(document))
	var table []float64
	for {
		token, err := d.RawToken()
		switch {
		case errors.Is(err, io.EOF):
			return table, nil
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "Amplitude" {
			continue
		}
		index, value, err := amplitude(d, start)
		if err != nil {
			return nil, err
		}
		if table == nil {
			table = make([]float64, entries)
		}
		table[index] = value
	}
}

const entries = 256

// amplitude reads an element with an index and a value.
func amplitude(d *xml.Decoder, start xml.StartElement) (index int, value float64, err error) {
	index = -1
	for _, a := range start.Attr {
		if a.Name.Local == "index" {
			index, err = strconv.Atoi(strings.TrimSpace(a.Value))
		}
	}
	token, tokenErr := d.RawToken()
	text, ok := token.(xml.CharData)
	if err != nil || tokenErr != nil || !ok || index < 0 || index >= entries {
		return 0, 0, fmt.Errorf("an amplitude with the index %d: %w", index, ErrCorrupt)
	}
	value, err = strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	if err != nil || value-value != 0 {
		return 0, 0, fmt.Errorf("amplitude %d is %.20q: %w", index, text, ErrCorrupt)
	}
	return index, value, nil
}
