package servertest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// Do sends a request.
func (s *Server) Do(r *http.Request) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	s.Handler.ServeHTTP(recorder, r)
	return recorder
}

// Get requests an address.
func (s *Server) Get(t testing.TB, address string) *httptest.ResponseRecorder {
	t.Helper()
	return s.Do(httptest.NewRequest(http.MethodGet, address, nil))
}

// GetAs requests an address with Accept, unless that is empty.
func (s *Server) GetAs(address, accept string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, address, nil)
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	return s.Do(r)
}

// GetEncoded requests an address with Accept-Encoding and If-None-Match, unless they are empty.
func (s *Server) GetEncoded(address, encodings, etag string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, address, nil)
	if encodings != "" {
		r.Header.Set("Accept-Encoding", encodings)
	}
	if etag != "" {
		r.Header.Set("If-None-Match", etag)
	}
	return s.Do(r)
}

// GetThrough requests an address from a proxy at remote, with the headers that it adds.
func (s *Server) GetThrough(remote, address string, headers map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, address, nil)
	r.RemoteAddr = remote
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	return s.Do(r)
}

// Send sends a request with headers, given as alternating names and values.
func (s *Server) Send(method, address string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, address, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return s.Do(r)
}

// CornerTileAddress returns the address of CornerTile from the template in a TileJSON document.
func (s *Server) CornerTileAddress(t testing.TB, query string) *url.URL {
	t.Helper()
	template := DecodeJSON[TileJSON](t, s.Get(t, "/layers/map/tilejson.json"+query)).Tiles[0]
	address, err := url.Parse(strings.NewReplacer("{z}/{x}/{y}", CornerTile).Replace(template))
	if err != nil {
		t.Fatal(err)
	}
	return address
}
