package azure

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source/credential"
	"tileserver/source/web"
)

// Tokens live for an hour. Some are revoked before.
func TestWeeksOfRequestsHaveAValidToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issued := 0
		f := new(fake)
		s := serviceOf(t, Config{Account: "maps"}, func() string { issued++; f.token = fmt.Sprint(issued); return f.token })
		u, err := s.Locate("az://tiles/a")
		if err != nil {
			t.Fatal(err)
		}
		requests, revocations := 0, 0
		for began := time.Now(); time.Since(began) < 4*7*24*time.Hour; time.Sleep(13 * time.Minute) {
			if _, err := f.get(s, nil)(t.Context(), u); err != nil {
				t.Fatalf("after %v: %v", time.Since(began), err)
			}
			if requests++; requests%701 == 0 {
				f.token = "another"
				revocations++
			}
		}
		if len(f.seen) != requests+revocations || issued < 600 {
			t.Errorf("%d requests and %d revocations took %d, with %d tokens", requests, revocations, len(f.seen), issued)
		}
	})
}

// The key of an account is for the account, and a token for Azure.
func TestSecretsAreOnlyForThoseTheyBelongTo(t *testing.T) {
	for _, test := range []struct {
		config    Config
		url, want string
	}{
		{Config{Account: "maps", Key: secret}, "https://maps.blob.core.windows.net/tiles/a", "SharedKey"},
		{Config{Account: "maps", Key: secret}, "http://maps.blob.core.windows.net/tiles/a", ""},
		{Config{Account: "maps", Key: secret}, "https://other.blob.core.windows.net/tiles/a", "Bearer"},
		{Config{Account: "maps", SAS: "sig=1"}, "https://other.blob.core.windows.net/tiles/a", "Bearer"},
		{Config{Account: "maps"}, "https://maps.blob.core.windows.net/tiles/a", "Bearer"},
		{Config{Account: "maps"}, "https://example.org/tiles/a", ""},
		{Config{Account: "maps"}, "https://maps.blob.core.windows.net.example.org/tiles/a", ""},
		{Config{Account: "maps"}, "https://maps.blob.core.windows.net:444/tiles/a", ""},
		{Config{Account: "maps", Endpoint: "https://example.org"}, "https://example.org/tiles/a", "Bearer"},
		{Config{Account: "maps", Anonymous: true}, "https://maps.blob.core.windows.net/tiles/a", ""},
	} {
		s := serviceOf(t, test.config, func() string { return "token" })
		r := httptest.NewRequest("GET", test.url, nil)
		err := s.Sign(t.Context(), r)
		if how, _, _ := strings.Cut(r.Header.Get("Authorization"), " "); err != nil || how != test.want || r.URL.RawQuery != "" {
			t.Errorf("%v to %s: %v, %v", test.config, test.url, r.Header, err)
		}
		if s.Learn(t.Context(), web.Refusal{URL: r.URL, Status: 401}) {
			t.Errorf("%s: a token that is new was renewed", test.url)
		}
	}
}

// A refusal of anything else is final, however old the token is.
func TestOnlyRefusedTokensAreRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const own, other = "https://maps.blob.core.windows.net/tiles/a", "https://other.blob.core.windows.net/tiles/a"
		for _, test := range []struct {
			config Config
			url    string
			status int
			code   string
			again  bool
		}{
			{Config{Account: "maps"}, own, 401, "InvalidAuthenticationInfo", true},
			{Config{Account: "maps"}, own, 403, "AuthenticationFailed", true},
			{Config{Account: "maps"}, own, 403, "AuthorizationPermissionMismatch", false},
			{Config{Account: "maps"}, "https://example.org/tiles/a", 401, "", false},
			{Config{Account: "maps", Key: secret}, own, 403, "AuthenticationFailed", false},
			{Config{Account: "maps", Key: secret}, other, 401, "", true},
			{Config{Account: "maps", SAS: "sig=1"}, own, 403, "AuthenticationFailed", false},
			{Config{Account: "maps", Anonymous: true}, own, 401, "", false},
		} {
			issued := 0
			s := serviceOf(t, test.config, func() string { issued++; return fmt.Sprint(issued) })
			if _, err := s.tokens.Value(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(30 * time.Minute)
			refused := web.Refusal{URL: httptest.NewRequest("GET", test.url, nil).URL, Status: test.status, Body: []byte("<Error><Code>" + test.code + "</Code></Error>")}
			if again := s.Learn(t.Context(), refused); again != test.again || issued > 1 != test.again {
				t.Errorf("%v, %s, %d %s: %v", test.config, test.url, test.status, test.code, again)
			}
		}
	})
}

func TestAnonymousRequestsProveNothing(t *testing.T) {
	f, s := new(fake), serviceOf(t, Config{Account: "maps", Endpoint: "http://example.org", Anonymous: true}, noToken)
	_, err := s.List(t.Context(), "az://tiles", "", f.get(s, nil))
	if !errors.Is(err, fs.ErrNotExist) || len(f.seen[0].Header) != 1 || f.seen[0].URL.Query().Has("sig") {
		t.Errorf("%v, %v", err, f.seen[0].Header)
	}
}

// Azure tells its time once when a signature is of another time, and then accepts what is signed. A wrong signature of
// the right time is not made again.
func TestTheTimeOfAzureIsLearnedOnce(t *testing.T) {
	told := 0
	f := &fake{account: "maps", ahead: 3 * time.Hour}
	s := serviceOf(t, Config{Account: "maps", Key: secret, Clock: &credential.Clock{OnSkew: func(time.Duration) { told++ }}}, noToken)
	u, err := s.Locate("az://tiles/a")
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if _, err := f.get(s, nil)(t.Context(), u); err != nil {
			t.Error(err)
		}
	}
	if len(f.seen) != 6 || told != 1 {
		t.Errorf("%d requests, told %d times", len(f.seen), told)
	}
}
