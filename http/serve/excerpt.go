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
	offered int // layers whose files are not open, which no document of all has
}

// maxExcerptLayers exceeds what fits into any document.
const maxExcerptLayers = 2000

// Excerpt returns the page that the parameters q and after select. They mean the same as in
// /layers; no standard defines them.
func (s *Server) Excerpt(r *http.Request, of listing.Placement) (*Excerpt, error) {
	p := request.ParametersOf(r)
	after, words := p.ID("after"), p.Words("q")
	if p.Err != nil {
		return nil, p.Err
	}
	page, err := s.Catalog.ServedPage(listing.Selection{Words: words, Placement: of}, listing.Range{Limit: maxExcerptLayers, After: after})
	return &Excerpt{page, words, after, s.Catalog.Offered()}, err
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
	text += " To search, add q=WORDS to its address."
	if e.offered > 0 {
		text += fmt.Sprintf(" %d layers whose files are opened when somebody asks for them have only documents of their own; /layers lists them.", e.offered)
	}
	return text
}
