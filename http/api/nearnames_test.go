package api_test

import (
	"net/http"
	"strings"
	"testing"

	"tileserver/http/servertest"
)

func TestErrorsSuggestNames(t *testing.T) {
	server := servertest.New(t, nil)
	for _, test := range []struct {
		path   string
		status int
		says   string
	}{
		{"/layers/hieght", http.StatusNotFound, `there is no layer \"hieght\"; did you mean \"height\"?`},
		{"/tiles/Map/0/0/0.png", http.StatusNotFound, `did you mean \"map\"?`},
		{"/layers/" + strings.Repeat("x", 100), http.StatusNotFound, "there is no layer"},
		{"/tiles/map/WebMercatorQad/0/0/0.png", http.StatusNotFound, `did you mean \"WebMercatorQuad\"?`},
		{"/layers/map/preview.png?style=defalt", http.StatusBadRequest, `use default; did you mean \"default\"?`},
	} {
		got := server.Get(t, test.path)
		if got.Code != test.status || !strings.Contains(got.Body.String(), test.says) {
			t.Errorf("%s is %d %.200s, want %d that says %q", test.path, got.Code, got.Body, test.status, test.says)
		}
	}
}
