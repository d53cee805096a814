package http_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/http/servertest"
)

// fromHost asks for a document as a client that calls the server by a host.
func fromHost(s *servertest.Server, path, host string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = host
	return s.Do(r)
}

// A client that invents hosts gets documents, but has few of them written, and these take no memory
// from what others use.
func TestInventedHostsShareADocument(t *testing.T) {
	const invented, most = 2000, 40
	synctest.Test(t, func(t *testing.T) {
		server := servertest.New(t, nil)
		paths := []string{"/layers", capabilitiesPath, "/tms/1.0.0/"}
		for _, path := range paths {
			if got := fromHost(server, path, "maps.example"); !strings.Contains(got.Body.String(), "http://maps.example/") {
				t.Fatalf("%s: %s", path, got.Body)
			}
		}
		ask := func(path string, i int) *httptest.ResponseRecorder {
			return fromHost(server, path, fmt.Sprintf("host-%d.example", i))
		}
		for i := range invented {
			if got := ask(paths[i%len(paths)], i); got.Code != http.StatusOK || got.Body.Len() < 100 {
				t.Fatalf("host %d: status %d", i, got.Code)
			}
		}
		if written := server.WrittenDocuments(t); written > most*len(paths) {
			t.Errorf("%d documents were written", written)
		}
		for _, s := range server.Catalog.Stats().Cache.Spaces {
			if s.Name == "documents" && s.Entries > most*len(paths) {
				t.Errorf("%d documents are in memory", s.Entries)
			}
		}
		written := server.WrittenDocuments(t)
		for _, path := range paths {
			last := ask(path, invented).Body.String()
			if strings.Contains(last, ".example") || !strings.Contains(last, `"/`) {
				t.Errorf("%s for one host too many: %.400s", path, last)
			}
			if got := fromHost(server, path, "maps.example"); !strings.Contains(got.Body.String(), "http://maps.example/") {
				t.Errorf("%s for the host that was there before: %.400s", path, got.Body)
			}
		}
		if again := server.WrittenDocuments(t); again > written+len(paths) {
			t.Errorf("%d documents were written, then %d", written, again)
		}
		time.Sleep(time.Hour)
		if got := fromHost(server, "/layers", "late.example"); !strings.Contains(got.Body.String(), "http://late.example/") {
			t.Errorf("when the others have left, a new host gets %.400s", got.Body)
		}
	})
}

// What is no host name is not repeated in documents.
func TestOnlyHostsAreRepeated(t *testing.T) {
	server := servertest.New(t, nil)
	for _, host := range []string{"a'b", `a"onload=x`, "a<b", "a b", "a/b", "a:b:c", "example:123456", strings.Repeat("a", 300), "€.example"} {
		for _, path := range []string{"/layers", "/layers/map", capabilitiesPath} {
			if got := fromHost(server, path, host); got.Code != http.StatusOK || strings.Contains(got.Body.String(), "http://"+host) || strings.Contains(got.Body.String(), "http:///") {
				t.Errorf("%s from %q: status %d, %.300s", path, host, got.Code, got.Body)
			}
		}
	}
	for _, host := range []string{"maps.example", "maps.example:8080", "127.0.0.1:8080", "[::1]:8080", "my_host", "xn--n3h.example"} {
		if got := fromHost(server, "/layers/map", host); !strings.Contains(got.Body.String(), "http://"+host+"/") {
			t.Errorf("from %s: %.300s", host, got.Body)
		}
	}
}
