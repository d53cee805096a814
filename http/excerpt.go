package http

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"tileserver/layer"
)

// excerpt is a page of layers for a document that has no pages in its standard. The document has
// as many of them as fit, and tells how to ask for the others.
type excerpt struct {
	layer.Page
	query layerListQuery
}

// maxExcerptLayers is more than fit into any document.
const maxExcerptLayers = 2000

// excerpt reads q and after, which mean what they mean for the list of layers. The standards know
// neither.
func (s *server) excerpt(r *http.Request, of layer.Placement) (*excerpt, error) {
	p := parametersOf(r)
	query := layerListQuery{PageRange: layer.PageRange{Limit: maxExcerptLayers, After: p.id("after")}}
	query.Words, query.Placement = p.words("q"), of
	if p.err != nil {
		return nil, p.err
	}
	page, err := s.Catalog.Page(query.Selection, query.PageRange)
	return &excerpt{page, query}, err
}

// suffix is the part of an address that asks for the excerpt again, with a question mark, or "".
func (e *excerpt) suffix() string { return e.suffixAfter(e.query.After) }

func (e *excerpt) suffixAfter(after string) string {
	values := make(url.Values)
	if len(e.query.Words) > 0 {
		values.Set("q", strings.Join(e.query.Words, " "))
	}
	if after != "" {
		values.Set("after", after)
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

// remark tells where the layers are that do not fit into a document at an address, which has so
// many and ends with the layer last.
func (e *excerpt) remark(layers int, address, last string) string {
	text := fmt.Sprintf("This document has %d of %d layers.", layers, e.Total)
	if e.Offset+layers < e.Total {
		text += " More follow at " + address + e.suffixAfter(last) + "."
	}
	return text + " To search, add q=WORDS to its address."
}
