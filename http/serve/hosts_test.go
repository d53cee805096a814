package serve

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// A client that invents hosts has documents written for few of them, however long it goes on.
func TestInventedHostsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const invented, every = 100_000, 36 * time.Millisecond // an hour in all
		s := New(Config{}, nil)
		bases := make(map[string]bool)
		ask := func(host string) string {
			r := httptest.NewRequest(http.MethodGet, "/layers", nil)
			r.Host = host
			return s.BaseURL(s.ForAllLayers(r))
		}
		for i := range invented {
			bases[ask(fmt.Sprintf("host-%d.example", i))] = true
			if i%1000 == 0 && ask("maps.example") != "http://maps.example" {
				t.Fatalf("after %d others, the host of all others is not known", i)
			}
			time.Sleep(every)
		}
		if most := maxHosts * int(1+time.Hour/hostMemory); len(bases) > most || !bases[""] {
			t.Errorf("documents were written for %d hosts, want at most %d", len(bases), most)
		}
		if len(s.hosts.asked) > maxHosts {
			t.Errorf("%d hosts are remembered", len(s.hosts.asked))
		}
	})
}

func TestAConfiguredAddressHasNoOtherHosts(t *testing.T) {
	s := New(Config{Origin: "https://maps.example", BasePath: "/a"}, nil)
	for i := range 2 * maxHosts {
		r := httptest.NewRequest(http.MethodGet, "/layers", nil)
		r.Host = fmt.Sprint("host-", i)
		if got := s.BaseURL(s.ForAllLayers(r)); got != "https://maps.example/a" {
			t.Fatal(got)
		}
	}
}
