package api

import (
	"context"
	"net/http"
	"net/url"

	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
)

// byAddress finds layers by the addresses of files in the parameter "url".
type byAddress struct{ *serve.Server }

// addressKey is the context key of the address.
type addressKey struct{}

// named returns a handler that takes the parameter "url" from a request before another one sees it.
func named(h answer.Handler) answer.Handler {
	return func(e *answer.Exchange, r *http.Request) error {
		values, err := request.Query(r)
		if err != nil {
			return err
		}
		address, err := addressIn(values)
		if err != nil {
			return err
		}
		delete(values, "url")
		r = r.WithContext(context.WithValue(r.Context(), addressKey{}, address))
		at := *r.URL
		at.RawQuery, r.URL = values.Encode(), &at
		return h(e, r)
	}
}

func addressIn(values url.Values) (string, error) {
	switch addresses := values["url"]; {
	case len(addresses) == 1 && addresses[0] != "":
		return addresses[0], nil
	case len(addresses) > 1:
		return "", answer.Invalid("the parameter url is given more than once; escape the & of an address as %%26")
	}
	return "", answer.Invalid("the parameter url is missing: the address of a file, as in /url/tilejson.json?url=https://example.org/ortho.tif")
}

// addressOf returns the address that named has found.
func addressOf(r *http.Request) string {
	address, _ := r.Context().Value(addressKey{}).(string)
	return address
}

func (s byAddress) find(r *http.Request) (serve.Layer, error) {
	return s.LayerAt(r.Context(), addressOf(r))
}

func (s byAddress) placeOf(r *http.Request, _ *layer.Layer) place {
	base := s.BaseURL(r)
	return place{layer: base + "/url", tiles: base + "/url/tiles", query: url.Values{"url": {addressOf(r)}}.Encode()}
}
