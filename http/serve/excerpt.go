package serve

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"tileserver/http/request"
	"tileserver/layer"
	"tileserver/layer/listing"
)

// Excerpt is a page of the list of layers, for documents whose standard has no pages. Such a
// document lists as many layers as fit and says how to request the others.
type Excerpt struct {
	listing.Page[*layer.Layer]
	words   []string
	after   string
	offered int // layers whose files are not open, which the document does not have
}

const (
	// maxExcerptLayers exceeds what fits into any document.
	maxExcerptLayers = 2000

	// maxOpenedLayers is how many layers whose files are not open a search may find, to open them for a document.
	maxOpenedLayers = 64
)

// Excerpt returns the page that the parameters q and after select. They mean the same as in
// /layers; no standard defines them.
func (s *Server) Excerpt(r *http.Request, of listing.Placement) (*Excerpt, error) {
	p := request.ParametersOf(r)
	after, words := p.ID("after"), p.Words("q")
	if p.Err != nil {
		return nil, p.Err
	}
	selection, from := listing.Selection{Words: words, Placement: of}, listing.Range{Limit: maxExcerptLayers, After: after}
	page, left, err := s.Catalog.OpenedPage(r.Context(), selection, from, maxOpenedLayers)
	return &Excerpt{page, words, after, left}, err
}

// Query returns the query of the address of this excerpt, with its question mark, or "".
func (e *Excerpt) Query() string { return e.queryAfter(e.after) }

func (e *Excerpt) queryAfter(after string) string {
	values := make(url.Values)
	if len(e.words) > 0 {
		values.Set("q", strings.Join(e.words, " "))
	}
	if after != "" {
		values.Set("after", after)
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// Remark returns a sentence on the address of the layers that do not fit. The document at address
// lists so many layers and ends with the layer last.
func (e *Excerpt) Remark(layers int, address, last string) string {
	text := fmt.Sprintf("This document has %d of %d layers.", layers, e.Total)
	if e.Offset+layers < e.Total {
		text += " More follow at " + address + e.queryAfter(last) + "."
	}
	return text + " To search, add q=WORDS to its address."
}

// Missing returns a sentence on the layers whose files are not open, or "" if there are none.
func (e *Excerpt) Missing() string {
	if e.offered == 0 {
		return ""
	}
	return fmt.Sprintf("This document does not have %d layers whose files are opened when somebody asks for them. Add q=WORDS to its address: "+
		"a search that finds at most %d of them opens them. /layers lists them, and each has a document of its own.", e.offered, maxOpenedLayers)
}
