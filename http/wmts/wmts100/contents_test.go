package wmts100

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
)

// manyLayers repeats the layers of a document under other ids.
func manyLayers(t testing.TB, count int) iter.Seq[*Layer] {
	layers := slices.Collect(document(t).Layers)
	return func(yield func(*Layer) bool) {
		for i := range count {
			l := *layers[i%len(layers)]
			l.ID = fmt.Sprintf("%s-%d", l.ID, i)
			if !yield(&l) {
				return
			}
		}
	}
}

// A document lists as many layers as fit, all of their sets, and a remark on the rest.
func TestDocumentsAreBounded(t *testing.T) {
	const layers = 40
	for _, maxBytes := range []int{0, 1, 5_000, 7_777, 10_000, 20_001, 60_000, 1_000_000} {
		d := document(t)
		d.Layers, d.MaxBytes = manyLayers(t, layers), maxBytes
		d.Remark = func(count int, last string) string { return fmt.Sprintf("It ends with %s, the layer %d.", last, count) }
		var text bytes.Buffer
		if err := d.Write(&text); err != nil {
			t.Fatal(err)
		}
		var read struct {
			Abstract string `xml:"ServiceIdentification>Abstract"`
			Layers   []struct {
				ID   string   `xml:"Identifier"`
				Sets []string `xml:"TileMatrixSetLink>TileMatrixSet"`
			} `xml:"Contents>Layer"`
			Sets []string `xml:"Contents>TileMatrixSet>Identifier"`
		}
		if err := xml.Unmarshal(text.Bytes(), &read); err != nil {
			t.Fatal(err)
		}
		count := len(read.Layers)
		if count == 0 || maxBytes > 1 && count > 1 && text.Len() > maxBytes {
			t.Errorf("with MaxBytes %d, the document has %d bytes and %d layers", maxBytes, text.Len(), count)
		}
		isWhole := maxBytes == 0 || maxBytes == 1_000_000
		if isWhole != (count == layers) || isWhole == strings.Contains(read.Abstract, "It ends with") {
			t.Errorf("with MaxBytes %d, the document has %d layers and the abstract %q", maxBytes, count, read.Abstract)
		}
		if last := read.Layers[count-1].ID; !isWhole && !strings.Contains(read.Abstract, fmt.Sprintf("%s, the layer %d.", last, count)) {
			t.Errorf("a document that ends with %s, the layer %d, says %q", last, count, read.Abstract)
		}
		for _, l := range read.Layers {
			for _, set := range l.Sets {
				if !slices.Contains(read.Sets, set) {
					t.Errorf("with MaxBytes %d, the document lacks the set %s", maxBytes, set)
				}
			}
			if !isWhole && len(l.Sets) != 1 {
				t.Errorf("the brief layer %s is in %d sets", l.ID, len(l.Sets))
			}
		}
	}
}

// A document that just fits is complete; with one byte less it is brief.
func TestDocumentThatJustFits(t *testing.T) {
	d := document(t)
	d.Layers, d.Remark = manyLayers(t, 9), func(int, string) string { return strings.Repeat("x", 30) }
	var whole bytes.Buffer
	if err := d.Write(&whole); err != nil {
		t.Fatal(err)
	}
	d.MaxBytes = whole.Len() + 100
	var again bytes.Buffer
	if err := d.Write(&again); err != nil || !bytes.Equal(again.Bytes(), whole.Bytes()) {
		t.Errorf("with MaxBytes %d, %d bytes are written: %v", whole.Len(), again.Len(), err)
	}
	d.MaxBytes = whole.Len() - 1
	var brief bytes.Buffer
	if err := d.Write(&brief); err != nil || brief.Len() >= whole.Len() {
		t.Errorf("with MaxBytes %d, %d bytes are written: %v", d.MaxBytes, brief.Len(), err)
	}
}
