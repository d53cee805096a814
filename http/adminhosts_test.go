package http_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/admin"
	"tileserver/http/servertest"
)

func TestTheListenerForOperatorsKnowsItsHosts(t *testing.T) {
	catalog := servertest.New(t, nil).Catalog
	handler := tilehttp.NewAdminHandler(tilehttp.AdminConfig{Config: admin.Config{Catalog: catalog}, Hosts: []string{"admin.example", "Maps.Internal"}})
	for host, want := range map[string]int{
		"127.0.0.1:8081": 200, "[::1]:8081": 200, "[::1]": 200, "192.0.2.7": 200, "[fe80::1%25eth0]:8081": 200,
		"localhost:8081": 200, "LOCALHOST": 200, "a.localhost": 200, "tileserver:8081": 200, "": 200,
		"admin.example:8081": 200, "ADMIN.example.": 200, "maps.internal": 200,
		"evil.example:8081": 421, "admin.example.evil.example": 421, "127.0.0.1.evil.example": 421, "x.admin.example": 421,
		"localhost.evil.example:8081": 421, "1.2.3": 421, "127.0.0.1:8081:8081.": 421,
	} {
		for _, path := range []string{"/healthz", "/debug/pprof/", "/debug/cache", "/nothing"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = host
			got := httptest.NewRecorder()
			handler.ServeHTTP(got, r)
			if isRefused := got.Code == http.StatusMisdirectedRequest; isRefused != (want == http.StatusMisdirectedRequest) {
				t.Errorf("%s under the host %q: status %d", path, host, got.Code)
			}
		}
	}
}
