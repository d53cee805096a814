package admin_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	tilehttp "tileserver/http"
	"tileserver/http/admin"
	"tileserver/http/servertest"
)

// rescanning returns a listener for operators that counts scans.
func rescanning(t *testing.T, rescan func(context.Context) (admin.Rescanned, error)) *servertest.Server {
	t.Helper()
	config := admin.Config{Catalog: servertest.New(t, nil).Catalog, Rescan: rescan}
	return &servertest.Server{Handler: tilehttp.NewAdminHandler(tilehttp.AdminConfig{Config: config, Hosts: []string{"example.com"}})}
}

func TestFoldersAreScannedByPost(t *testing.T) {
	scans := 0
	operators := rescanning(t, func(context.Context) (admin.Rescanned, error) {
		scans++
		return admin.Rescanned{IsComplete: true, Layers: 7}, nil
	})
	got := operators.Do(httptest.NewRequest(http.MethodPost, "/admin/rescan", nil))
	if want := `{"complete":true,"layers":7,"problems":[]}`; got.Code != http.StatusOK || strings.TrimSpace(got.Body.String()) != want || scans != 1 {
		t.Errorf("status %d after %d scans: %s, want %s", got.Code, scans, got.Body, want)
	}
	foreign := httptest.NewRequest(http.MethodPost, "/admin/rescan", nil)
	foreign.Header.Set("Sec-Fetch-Site", "cross-site")
	for name, test := range map[string]struct {
		asked *http.Request
		want  int
	}{
		"a page of another site": {foreign, http.StatusForbidden},
		"GET":                    {httptest.NewRequest(http.MethodGet, "/admin/rescan", nil), http.StatusMethodNotAllowed},
		"another host":           {httptest.NewRequest(http.MethodPost, "http://evil.example/admin/rescan", nil), http.StatusMisdirectedRequest},
	} {
		if got := operators.Do(test.asked); got.Code != test.want || scans != 1 {
			t.Errorf("%s: status %d after %d scans, want %d", name, got.Code, scans, test.want)
		}
	}
}

func TestAServerWithoutFoldersScansNone(t *testing.T) {
	if got := rescanning(t, nil).Do(httptest.NewRequest(http.MethodPost, "/admin/rescan", nil)); got.Code != http.StatusNotFound {
		t.Errorf("status %d", got.Code)
	}
}
