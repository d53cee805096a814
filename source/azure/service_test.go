package azure

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// serviceOf returns a service with tokens that issue issues, for an hour each.
func serviceOf(t *testing.T, config Config, issue func() string) *Service {
	t.Helper()
	s, err := newService(config, func(context.Context) (string, time.Time, error) { return issue(), time.Now().Add(time.Hour), nil })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func noToken() string { panic("a token was asked for") }

func TestBlobsHaveURLs(t *testing.T) {
	const own = "https://maps.blob.core.windows.net/"
	for _, test := range []struct{ account, endpoint, path, canonical, want string }{
		{"maps", "", "az://tiles/a b/ü+.tif", "az://tiles/a b/ü+.tif", own + "tiles/a%20b/%C3%BC%2B.tif"},
		{"maps", "", "AZ://tiles//a/", "az://tiles//a", own + "tiles//a"},
		{"maps", "", "az://$root/a", "az://$root/a", own + "%24root/a"},
		{"maps", "", "az://maps.blob.core.windows.net/tiles/a", "az://tiles/a", own + "tiles/a"},
		{"maps", "", "az://tiles@Maps.dfs.core.windows.net/a", "az://tiles/a", own + "tiles/a"},
		{"maps", "", "az://tiles@other.blob.core.windows.net/a", "az://other.blob.core.windows.net/tiles/a", "https://other.blob.core.windows.net/tiles/a"},
		{"", "", "az://other.z12.blob.storage.azure.net/tiles/a", "az://other.z12.blob.storage.azure.net/tiles/a", "https://other.z12.blob.storage.azure.net/tiles/a"},
		{"maps", "https://example.org/b/", "az://tiles/a", "az://tiles/a", "https://example.org/b/tiles/a"},
		{"maps", "https://example.org/b/", "az://maps.blob.core.windows.net/tiles/a", "az://maps.blob.core.windows.net/tiles/a", own + "tiles/a"},
	} {
		s := serviceOf(t, Config{Account: test.account, Endpoint: test.endpoint}, noToken)
		u, err := s.Locate(test.path)
		if got := s.Canonical(test.path); err != nil || u.String() != test.want || got != test.canonical {
			t.Errorf("%s: %q, %v, %v", test.path, got, u, err)
		}
	}
	for _, path := range []string{
		"az://", "az://tiles", "az://tiles/", "az://Tiles/a", "az://a--b/c", "az://user:secret@maps.blob.core.windows.net/a", "az://example.org/tiles/a",
		"az://tiles@127.0.0.1/a", "az://maps.blob.core.windows.net", "az://maps.blob.core.windows.net/tiles", "az://tiles/../a", "s3://tiles/a",
		"az://maps.blob.core.windows.net/c@other.blob.core.windows.net/b", "az://maps.blob.core.windows.net.example.org/tiles/a",
	} {
		s := serviceOf(t, Config{Account: "maps"}, noToken)
		if u, err := s.Locate(path); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, %v", path, u, err)
		}
	}
	if _, err := serviceOf(t, Config{}, noToken).Locate("az://tiles/a"); err == nil || !strings.Contains(err.Error(), "AZURE_STORAGE_ACCOUNT") {
		t.Errorf("without an account: %v", err)
	}
}

func TestRequestsAreSignedWithTheKeyOfTheAccount(t *testing.T) {
	for _, endpoint := range []string{"", "http://127.0.0.1:10000/maps"} {
		f, s := &fake{account: "maps"}, serviceOf(t, Config{Account: "maps", Endpoint: endpoint, Key: secret}, noToken)
		for _, key := range []string{"a.tif", "a b+c%20.tif", "ü/日本.tif", "a//b", "~x!$&'()*,;=:@?#[]", "a\n"} {
			u, err := s.Locate("az://tiles/" + key)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.get(s, http.Header{"Range": {"bytes=5-9"}, "If-Match": {`"1"`}})(t.Context(), u); err != nil {
				t.Errorf("%q: %v", key, err)
			}
		}
		f.account = "another"
		if _, err := s.List(t.Context(), "az://tiles", "", f.get(s, nil)); err == nil || len(f.seen) != 7 {
			t.Errorf("another account accepts the signature after %d requests", len(f.seen))
		}
	}
}

func TestAFolderOfManyBlobsIsListedInPages(t *testing.T) {
	f := &fake{account: "maps", blobs: 2500}
	s := serviceOf(t, Config{Account: "maps", Key: secret}, noToken)
	count, folders := 0, 0
	for after := ""; ; {
		page, err := s.List(t.Context(), "az://tiles/a & b/", after, f.get(s, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, listed := range page.Listed {
			if listed.IsFolder {
				folders++
				continue
			}
			name := fmt.Sprintf("+%d", count)
			modified := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).UnixNano()
			if listed.Path != "az://tiles/a & b/"+name || listed.Size != int64(count) || listed.Tag != fmt.Sprintf(`"0x%d"`, count) || listed.Modified != modified {
				t.Errorf("%v is not %s", listed, name)
			}
			count++
		}
		if after = page.Next; after == "" {
			break
		}
	}
	if count != f.blobs || folders != 1 || len(f.seen) != 3 {
		t.Errorf("%d blobs and %d folders in %d pages", count, folders, len(f.seen))
	}
}

func TestASignatureIsAddedToTheQuery(t *testing.T) {
	f := &fake{blobs: 1}
	s := serviceOf(t, Config{Account: "maps", SAS: "?sv=2023-11-03&sig=a%2Bb%2Fc%3D"}, noToken)
	u, err := s.Locate("az://tiles/a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.get(s, nil)(t.Context(), u); err != nil || u.RawQuery != "" {
		t.Errorf("%v, and the URL is %s", err, u)
	}
	if page, err := s.List(t.Context(), "az://tiles", "", f.get(s, nil)); err != nil || len(page.Listed) != 2 {
		t.Errorf("%v, %v", page, err)
	}
	r := httptest.NewRequest("GET", u.String(), nil)
	for range 2 {
		if err := s.Sign(t.Context(), r); err != nil || strings.Count(r.URL.RawQuery, "sig=") != 1 {
			t.Errorf("signed as %s, %v", r.URL, err)
		}
	}
}

// Every address leads to its own place at its account, however it is spelled.
func FuzzLocate(f *testing.F) {
	for _, path := range []string{
		"az://tiles/a.tif", "AZ://tiles//a+ %/", "az://tiles@maps.dfs.core.windows.net/a", "az://other.blob.core.windows.net/tiles/a", "az://@/",
		"az://maps.blob.core.windows.net/c@other.blob.core.windows.net/b", "az://a.b@maps.blob.core.windows.net/c",
	} {
		f.Add(path)
	}
	s, err := New(Config{Account: "maps"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path string) {
		canonical := s.Canonical(path)
		if again := s.Canonical(canonical); again != canonical {
			t.Errorf("%q is %q and then %q", path, canonical, again)
		}
		u, err := s.Locate(path)
		other, otherErr := s.Locate(canonical)
		if (err == nil) != (otherErr == nil) || err == nil && *u != *other {
			t.Errorf("%q: %v, %v, and canonical %v, %v", path, u, err, other, otherErr)
		}
		if err != nil {
			return
		}
		again, err := url.Parse(u.String())
		if err != nil || again.Path != u.Path || again.Host != u.Host || again.RawQuery != "" || !isAzure(again) {
			t.Errorf("%s leads to %v, %v", u, again, err)
		}
	})
}
