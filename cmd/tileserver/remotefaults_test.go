package main

import (
	"net/http"
	"strconv"
	"testing"

	"tileserver/source/web/webtest"
)

// A server that asks for patience is not asked, and clients learn how long that takes.
func TestClientsLearnWhenAServerMayBeAsked(t *testing.T) {
	web := webtest.New(t)
	web.Put("/a.tif", string(blocksFile(t)))
	s := start(t, append([]string{"serve", web.URL + "/a.tif", "--state", ""}, freePorts...)...)
	web.Asked()
	web.Script(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "50")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	for i := range 3 {
		response, err := http.Get(s.maps + block("a", 200+i))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if wait, _ := strconv.Atoi(response.Header.Get("Retry-After")); response.StatusCode != http.StatusServiceUnavailable || wait < 20 || wait > 50 {
			t.Errorf("status %d, Retry-After %d", response.StatusCode, wait)
		}
	}
	if asked := web.Asked(); len(asked) != 1 {
		t.Errorf("asked %v", asked)
	}
}
