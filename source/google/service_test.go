package google

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source/bucket"
	"tileserver/source/web"
)

// fake is a server that speaks as the XML API does. Of tokens it accepts one.
type fake struct {
	token   string // "": anybody may read
	objects int    // in the folder a/ of the bucket maps
	seen    []*http.Request
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.seen = append(f.seen, r)
	switch {
	case f.token != "" && r.Header.Get("Authorization") != "Bearer "+f.token:
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, "<?xml version='1.0' encoding='UTF-8'?><Error><Code>AuthenticationRequired</Code></Error>")
	case r.URL.Path == "/maps" && r.URL.Query().Get("list-type") == "2":
		f.list(w, r.URL.Query())
	default:
		fmt.Fprint(w, r.URL.Path)
	}
}

// list lists objects, whose names are numbers. The token of a page is its first one.
func (f *fake) list(w http.ResponseWriter, query url.Values) {
	fmt.Fprint(w, "<?xml version='1.0' encoding='UTF-8'?><ListBucketResult xmlns='http://doc.s3.amazonaws.com/2006-03-01'><EncodingType>url</EncodingType>")
	first, _ := strconv.Atoi(query.Get("continuation-token"))
	most, _ := strconv.Atoi(query.Get("max-keys"))
	for i := first; i < min(first+most, f.objects); i++ {
		fmt.Fprintf(w, "<Contents><Key>%s%%2B%d</Key><Generation>1</Generation><LastModified>2026-01-02T03:04:05.678Z</LastModified><ETag>\"%d\"</ETag><Size>%d</Size></Contents>",
			url.PathEscape(query.Get("prefix")), i, i, i)
	}
	if next := first + most; next < f.objects {
		fmt.Fprintf(w, "<IsTruncated>true</IsTruncated><NextContinuationToken>%d</NextContinuationToken>", next)
	}
	fmt.Fprint(w, "</ListBucketResult>")
}

// get returns what gets documents from the server, and tries again once if the service learned something.
func (f *fake) get(s *Service) web.Get {
	return func(ctx context.Context, u *url.URL) ([]byte, error) {
		for isSecond := false; ; isSecond = true {
			r := httptest.NewRequestWithContext(ctx, "GET", u.String(), nil)
			if err := s.Sign(ctx, r); err != nil {
				return nil, err
			}
			answer := httptest.NewRecorder()
			f.ServeHTTP(answer, r)
			refused := web.Refusal{URL: u, Status: answer.Code, Header: answer.Header(), Body: answer.Body.Bytes()}
			if answer.Code == http.StatusOK {
				return answer.Body.Bytes(), nil
			}
			if isSecond || !s.Learn(ctx, refused) {
				return nil, fmt.Errorf("status %d", answer.Code)
			}
		}
	}
}

// serviceOf returns a service with tokens that issue issues, for an hour each.
func serviceOf(t *testing.T, config Config, issue func() string) *Service {
	t.Helper()
	s, err := newService(config, func(context.Context) (string, time.Time, error) { return issue(), time.Now().Add(time.Hour), nil })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestObjectsHaveURLs(t *testing.T) {
	for _, test := range []struct{ endpoint, path, want string }{
		{"", "gs://maps/a b/ü+.tif", "https://storage.googleapis.com/maps/a%20b/%C3%BC%2B.tif"},
		{"", "GS://my.maps//a/", "https://storage.googleapis.com/my.maps//a"},
		{"https://example.org/gcs/", "gs://maps/a", "https://example.org/gcs/maps/a"},
	} {
		u, err := serviceOf(t, Config{Endpoint: test.endpoint}, nil).Locate(test.path)
		if err != nil || u.String() != test.want {
			t.Errorf("%s: %v, %v", test.path, u, err)
		}
	}
	for _, path := range []string{"gs://", "gs://maps", "gs://maps/", "gs://a b/c", "gs://user:secret@host/a", "gs://maps/../a", "s3://maps/a", "gs://maps/\xff"} {
		if u, err := serviceOf(t, Config{}, nil).Locate(path); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, %v", path, u, err)
		}
	}
}

func TestAFolderOfManyObjectsIsListedInPages(t *testing.T) {
	f := &fake{token: "1", objects: 2500}
	s := serviceOf(t, Config{}, func() string { return "1" })
	count := 0
	for after := ""; ; {
		page, err := s.List(t.Context(), "gs://maps/a b/", after, f.get(s))
		if err != nil {
			t.Fatal(err)
		}
		for _, listed := range page.Listed {
			name, number := fmt.Sprintf("+%d", count), count
			if listed.Name != name || listed.Path != "gs://maps/a b/"+name || listed.Size != int64(number) || listed.Tag != fmt.Sprintf("%q", fmt.Sprint(number)) {
				t.Errorf("%v is not %s", listed, name)
			}
			count++
		}
		if after = page.Next; after == "" {
			break
		}
	}
	if count != f.objects || len(f.seen) != 3 {
		t.Errorf("%d objects in %d pages", count, len(f.seen))
	}
}

// Tokens live for an hour. Some are revoked before.
func TestWeeksOfRequestsHaveAValidToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issued := 0
		f := new(fake)
		s := serviceOf(t, Config{UserProject: "mapping"}, func() string { issued++; f.token = fmt.Sprint(issued); return f.token })
		u, err := s.Locate("gs://maps/a")
		if err != nil {
			t.Fatal(err)
		}
		requests, revocations := 0, 0
		for began := time.Now(); time.Since(began) < 4*7*24*time.Hour; time.Sleep(13 * time.Minute) {
			if _, err := f.get(s)(t.Context(), u); err != nil {
				t.Fatalf("after %v: %v", time.Since(began), err)
			}
			if requests++; requests%701 == 0 {
				f.token = "another"
				revocations++
			}
		}
		if len(f.seen) != requests+revocations || issued < 600 || f.seen[0].Header.Get(projectHeader) != "mapping" {
			t.Errorf("%d requests and %d revocations took %d, with %d tokens", requests, revocations, len(f.seen), issued)
		}
	})
}

func TestATokenIsOnlyForTheEndpoint(t *testing.T) {
	s := serviceOf(t, Config{UserProject: "mapping"}, func() string { return "1" })
	for text, isSigned := range map[string]bool{
		"https://storage.googleapis.com/maps/a": true, "http://storage.googleapis.com/maps/a": false, "https://example.org/maps/a": false,
		"https://storage.googleapis.com:444/maps/a": false, "https://storage.googleapis.com.example.org/maps/a": false,
	} {
		r := httptest.NewRequest("GET", text, nil)
		if err := s.Sign(t.Context(), r); err != nil || (len(r.Header) > 0) != isSigned {
			t.Errorf("%s: %v, %v", text, r.Header, err)
		}
		if s.Learn(t.Context(), web.Refusal{URL: r.URL, Status: http.StatusUnauthorized}) {
			t.Errorf("%s: a token that is new was renewed", text)
		}
	}
	if _, err := New(Config{Endpoint: "http://example.org"}); err == nil || !strings.Contains(err.Error(), "https://") {
		t.Errorf("a token may be sent in plain text: %v", err)
	}
}

// A refusal of anything else is final, however old the token is.
func TestOnlyRefusedTokensAreRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const own = "https://storage.googleapis.com/maps/a"
		for _, test := range []struct {
			url    string
			status int
			again  bool
		}{{own, 401, true}, {own, 403, false}, {own, 400, false}, {"https://example.org/maps/a", 401, false}} {
			issued := 0
			s := serviceOf(t, Config{}, func() string { issued++; return fmt.Sprint(issued) })
			if _, err := s.tokens.Value(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(30 * time.Minute)
			refused := web.Refusal{URL: httptest.NewRequest("GET", test.url, nil).URL, Status: test.status}
			if again := s.Learn(t.Context(), refused); again != test.again || issued > 1 != test.again {
				t.Errorf("%d of %s: %v", test.status, test.url, again)
			}
		}
	})
}

func TestAnonymousRequestsAskNobodyForAToken(t *testing.T) {
	s := serviceOf(t, Config{Endpoint: "http://example.org", Anonymous: true}, func() string { t.Error("a token was asked for"); return "" })
	f := &fake{objects: 1}
	if page, err := s.List(t.Context(), "gs://maps", "", f.get(s)); err != nil || len(page.Listed) != 1 || len(f.seen[0].Header) > 0 {
		t.Errorf("%v, %v", page, err)
	}
	f.token = "1"
	if _, err := s.List(t.Context(), "gs://maps", "", f.get(s)); err == nil || len(f.seen) != 2 {
		t.Errorf("%v after %d requests", err, len(f.seen))
	}
}

// Every address leads to its own place at the endpoint, however it is spelled.
func FuzzLocate(f *testing.F) {
	for _, path := range []string{"gs://maps/a.tif", "GS://maps//a+ %/", "gs://my.maps/..%2f", "gs://a@b/c", "gs://maps/@example.org", "gs://maps/\x00?#"} {
		f.Add(path)
	}
	s, err := New(Config{Endpoint: "https://example.org:9000/base"})
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
		if err != nil || again.Path != u.Path || again.Host != "example.org:9000" || again.RawQuery != "" || !bucket.IsBelow(s.endpoint, again) {
			t.Errorf("%s leads to %v, %v", u, again, err)
		}
	})
}
