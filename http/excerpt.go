package http

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"tileserver/http/request"
	"tileserver/layer"
)

// excerpt is a page of the list of layers, for documents whose standard has no pages. Such a
// document lists as many layers as fit and says how to request the others.
type excerpt struct {
	layer.Page
	query layerListQuery
}

// maxExcerptLayers exceeds what fits into any document.
const maxExcerptLayers = 2000

// excerpt reads the parameters q and after, with their meaning in /layers. The standards define
// neither.
func (s *server) excerpt(r *http.Request, of layer.Placement) (*excerpt, error) {
	p := request.ParametersOf(r)
	query := layerListQuery{PageRange: layer.PageRange{Limit: maxExcerptLayers, After: p.ID("after")}}
	query.Words, query.Placement = p.Words("q"), of
	if p.Err != nil {
		return nil, p.Err
	}
	page, err := s.Catalog.Page(query.Selection, query.PageRange)
	return &excerpt{page, query}, err
}

// suffix returns the query of the address of this excerpt, with its question mark, or "".
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

// remark returns a sentence on the address of the layers that do not fit. The document at address
// lists so many layers and ends with the layer last.
func (e *excerpt) remark(layers int, address, last string) string {
	text := fmt.Sprintf("This document has %d of %d layers.", layers, e.Total)
	if e.Offset+layers < e.Total {
		text += " More follow at " + address + e.suffixAfter(last) + "."
	}
	return text + " To search, add q=WORDS to its address."
}
