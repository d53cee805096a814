package signature_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"tileserver/signature"
)

var (
	first  = signature.Key{ID: "a", Secret: "0123456789abcdef0123456789abcdef"}
	second = signature.Key{ID: "b", Secret: "fedcba9876543210fedcba9876543210"}
	until  = time.Unix(1900000000, 0)
	now    = until.Add(-time.Hour)
)

// The signature is what openssl computes of the signed text:
//
//	printf '/tiles/dem/1/2/3.png?expires=1900000000&key_id=a&rescale=0%%2C3000' |
//	  openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef -binary | openssl base64 | tr '+/' '-_' | tr -d =
func TestTheSignatureIsThatOfOpenSSL(t *testing.T) {
	signed := first.Sign("/tiles/dem/1/2/3.png", url.Values{"rescale": {"0,3000"}}, until)
	if got := signed.Get("signature"); got != "8qN2tv7aTfdsK_Gbaytq5FgZBiGJ-s11wLGcdwofbHg" {
		t.Errorf("the signature is %s", got)
	}
}

// The example in docs/access.md has written this address.
func TestTheSignatureIsThatOfThePythonExample(t *testing.T) {
	query, err := url.ParseQuery("rescale=0%2C3+000&unsigned=bbox%2Cwidth&bbox=1%2C2&expires=1795450946&key_id=a&signature=y-3FrEDtczqori154v5V-iJDCJmEK0-C2XqspnAKxBw")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (signature.Keys{first}).Verify("/tiles/a/1/2/3.png", query, time.Unix(1795450000, 0)); err != nil {
		t.Error(err)
	}
}

func TestASignedAddressIsValidUntilItExpires(t *testing.T) {
	keys := signature.Keys{second, first}
	query := first.Sign("/layers/a/view.png", url.Values{"bbox": {"1,2,3,4"}, "rescale": {"0,9", "1,8"}, "expression": {"b1;b2&c=d ü"}}, until)
	got, err := keys.Verify("/layers/a/view.png", query, until.Add(-time.Nanosecond))
	if !got.Equal(until) || err != nil {
		t.Errorf("valid until %v, %v", got, err)
	}
	query.Set("signature", query.Get("signature")+"=") // as Python writes it
	if _, err := keys.Verify("/layers/a/view.png", query, now); err != nil {
		t.Error(err)
	}
	wantReason(t, signature.Expired, keys, "/layers/a/view.png", query, until)
	wantReason(t, signature.UnknownKey, signature.Keys{second}, "/layers/a/view.png", query, now)
	wantReason(t, signature.UnknownKey, nil, "/layers/a/view.png", query, now)
	wantReason(t, signature.Invalid, keys, "/layers/b/view.png", query, now)
}

func TestWhatIsSignedCannotBeChanged(t *testing.T) {
	keys := signature.Keys{first, second}
	for name, change := range map[string]func(url.Values){
		"a value":               func(q url.Values) { q.Set("rescale", "0,8") },
		"a parameter more":      func(q url.Values) { q.Set("expression", "b1") },
		"a parameter less":      func(q url.Values) { q.Del("rescale") },
		"the same twice":        func(q url.Values) { q.Add("rescale", "0,9") },
		"a later end":           func(q url.Values) { q.Set("expires", "1900000001") },
		"another notation":      func(q url.Values) { q.Set("expires", "01900000000") },
		"no end":                func(q url.Values) { q.Del("expires") },
		"two ends":              func(q url.Values) { q.Add("expires", "1900000000") },
		"another key":           func(q url.Values) { q.Set("key_id", "b") },
		"two signatures":        func(q url.Values) { q.Add("signature", q.Get("signature")) },
		"an empty signature":    func(q url.Values) { q.Set("signature", "") },
		"a shorter signature":   func(q url.Values) { q.Set("signature", q.Get("signature")[1:]) },
		"another last bit":      func(q url.Values) { s := q.Get("signature"); q.Set("signature", s[:42]+string(s[42]+1)) },
		"another path":          func(q url.Values) { q.Set("signed_path", "/") },
		"a parameter unsigned":  func(q url.Values) { q.Set("unsigned", "rescale") },
		"all of them unsigned":  func(q url.Values) { q.Set("unsigned", "*") },
		"an empty unsigned":     func(q url.Values) { q.Set("unsigned", "") },
		"an empty pattern":      func(q url.Values) { q.Set("signed_path", "") },
		"one without a name":    func(q url.Values) { q.Set("", "1") },
		"the key and end twice": func(q url.Values) { q.Add("key_id", "a"); q.Add("expires", "1") },
	} {
		query := first.Sign("/preview.png", url.Values{"rescale": {"0,9"}}, until)
		change(query)
		t.Run(name, func(t *testing.T) { wantReason(t, signature.Invalid, keys, "/preview.png", query, now) })
	}
}

func TestUnsignedParametersMayDiffer(t *testing.T) {
	keys := signature.Keys{first}
	query := first.Sign("/view.png", url.Values{"rescale": {"0,9"}, "unsigned": {"bbox,width"}}, until)
	query.Set("bbox", "1,2,3,4")
	if _, err := keys.Verify("/view.png", query, now); err != nil {
		t.Error(err)
	}
	query.Set("height", "9")
	wantReason(t, signature.Invalid, keys, "/view.png", query, now)
	query = first.Sign("/view.png", url.Values{"unsigned": {"*"}}, until)
	query.Set("height", "9")
	if _, err := keys.Verify("/view.png", query, now); err != nil {
		t.Error(err)
	}
	query.Set("expires", "1900000001")
	wantReason(t, signature.Invalid, keys, "/view.png", query, now)
	query = first.Sign("/view.png", url.Values{"unsigned": {"expires,key_id,signed_path,unsigned"}}, until)
	query.Set("expires", "1900000001")
	wantReason(t, signature.Invalid, keys, "/view.png", query, now)
}

func TestAPatternStandsForPaths(t *testing.T) {
	keys := signature.Keys{first}
	query := first.Sign("", url.Values{"signed_path": {"/tiles/dem/*/*/*.png"}}, until)
	if _, err := keys.Verify("/tiles/dem/12/2200/1340@2x.png", query, now); err != nil {
		t.Error(err)
	}
	wantReason(t, signature.Invalid, keys, "/tiles/dem/12/2200/1340.jpg", query, now)
	for pattern, paths := range map[string]struct{ in, out string }{
		"/tiles/a/*/*/*.png": {"/tiles/a/1/2/3.png /tiles/a/1/2/.png", "/tiles/a/1/2/3.jpg /tiles/a/1/2/png /tiles/a/1/2 /tiles/a/x/1/2/3.png /tiles/b/1/2/3.png tiles/a/1/2/3.png"},
		"/tiles/a/":          {"/tiles/a/ /tiles/a/1 /tiles/a/1/2/3.png", "/tiles/a /tiles/ab/1 /tiles/b/1 / /tiles"},
		"/":                  {"/ /a /a/b", ""},
		"/iiif/*/info.json":  {"/iiif/a/info.json /iiif//info.json", "/iiif/a/b/info.json /iiif/info.json"},
		"/a*b*c":             {"/abc /aXbYc /abbbc", "/ac /ab /acb /abc/"},
		"/aa*aa":             {"/aaaa /aaXaa", "/aa /aaa"},
		"/a":                 {"/a", "/ab /a/ /A"},
		"":                   {"", "/"},
	} {
		for _, path := range strings.Split(paths.in, " ") {
			if !signature.Matches(pattern, path) {
				t.Errorf("%q does not stand for %q", pattern, path)
			}
		}
		for path := range strings.FieldsSeq(paths.out) {
			if signature.Matches(pattern, path) {
				t.Errorf("%q stands for %q", pattern, path)
			}
		}
	}
}

func wantReason(t *testing.T, want signature.Reason, keys signature.Keys, path string, query url.Values, now time.Time) {
	t.Helper()
	_, err := keys.Verify(path, query, now)
	var refused *signature.Error
	if !errors.As(err, &refused) || refused.Reason != want || refused.Error() == "" {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestKeysAreParsed(t *testing.T) {
	keys, err := signature.ParseKeys("# of 2026\n\na:" + first.Secret + "\r\n  b:" + second.Secret + "  ")
	if err != nil || len(keys) != 2 || keys[0] != first || keys[1] != second {
		t.Errorf("got %v, %v", keys, err)
	}
	if key, err := keys.ToSignWith(""); key != first || err != nil {
		t.Errorf("got %v, %v", key, err)
	}
	if key, err := keys.ToSignWith("b"); key != second || err != nil {
		t.Errorf("got %v, %v", key, err)
	}
	if _, err := keys.ToSignWith("c"); err == nil {
		t.Error("there is a key c")
	}
	if _, err := (signature.Keys{}).ToSignWith(""); err == nil {
		t.Error("there is a key")
	}
	for text, want := range map[string]string{
		"secret":                   "key 1: write it as ID:SECRET",
		"a:secret":                 "key 1: its secret must have at least 32 characters",
		":" + first.Secret:         "key 1: its id must be",
		"a b:" + first.Secret:      "key 1: its id must be",
		"a:" + first.Secret + " x": "key 1: its secret must be of printable ASCII",
		"a:" + first.Secret + "\na:" + strings.Repeat("x", 32): `key 2: two have the id "a"`,
	} {
		if _, err := signature.ParseKeys(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret x") || strings.Contains(err.Error(), first.Secret) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Whatever an address says, Verify does not panic, and only what is signed is valid.
func FuzzVerify(f *testing.F) {
	f.Add("/tiles/a/1/2/3.png", first.Sign("/tiles/a/1/2/3.png", nil, until).Encode())
	f.Add("/tiles/a/1/2/3.png", first.Sign("", url.Values{"signed_path": {"/tiles/a/"}, "unsigned": {"*"}}, until).Encode())
	f.Add("/", "signature=&expires=&key_id=&signed_path=**/*&unsigned=,")
	f.Add("/a", "signature=x&expires=-1&key_id=a&signed_path=%2F")
	keys := signature.Keys{first}
	f.Fuzz(func(t *testing.T, path, text string) {
		query, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		end, err := keys.Verify(path, query, now)
		if err == nil && !end.Equal(until) {
			t.Errorf("%s?%s is valid until %v", path, text, end)
		}
		query.Del("signature")
		query.Del("key_id")
		query.Del("expires")
		pattern := query.Get("signed_path")
		signed := first.Sign(path, query, until)
		_, err = keys.Verify(path, signed, now)
		isOdd := len(query["signed_path"]) > 1 || len(query["unsigned"]) > 1 || pattern != "" && !signature.Matches(pattern, path)
		if (err == nil) == isOdd {
			t.Errorf("%s?%s: %v", path, signed.Encode(), err)
		}
	})
}

func FuzzParseKeys(f *testing.F) {
	f.Add("a:" + first.Secret + "\n# b\nb:" + second.Secret)
	f.Add(":\n:")
	f.Fuzz(func(t *testing.T, text string) {
		keys, err := signature.ParseKeys(text)
		if err != nil {
			return
		}
		for i, key := range keys {
			if key.ID == "" || len(key.Secret) < 32 {
				t.Errorf("key %d is %+v", i, key)
			}
		}
	})
}
