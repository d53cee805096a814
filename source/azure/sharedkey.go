package azure

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// sign signs a request with the key of the account, at a time. It must have its headers: ranges and conditions are a part of
// the signature.
func (own *account) sign(r *http.Request, at time.Time) {
	r.Header.Set("X-Ms-Date", at.UTC().Format(http.TimeFormat))
	signature := hmac.New(sha256.New, own.key)
	signature.Write([]byte(own.signedText(r)))
	r.Header.Set("Authorization", "SharedKey "+own.name+":"+base64.StdEncoding.EncodeToString(signature.Sum(nil)))
}

// signedHeaders are the standard headers of a signature, in their order. Azure has the date in one of its own.
var signedHeaders = [...]string{
	"Content-Encoding", "Content-Language", "Content-Length", "Content-MD5", "Content-Type", "Date",
	"If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range",
}

// signedText returns what is signed: the method, the headers and the resource of a request without a body.
func (own *account) signedText(r *http.Request) string {
	var text strings.Builder
	text.WriteString(r.Method + "\n")
	for _, name := range signedHeaders {
		text.WriteString(r.Header.Get(name) + "\n")
	}
	for _, name := range slices.SortedFunc(maps.Keys(r.Header), compareFolded) {
		if lower := strings.ToLower(name); strings.HasPrefix(lower, "x-ms-") {
			text.WriteString(lower + ":" + strings.TrimSpace(r.Header.Get(name)) + "\n")
		}
	}
	text.WriteString("/" + own.name + r.URL.EscapedPath())
	parameters := r.URL.Query()
	for _, name := range slices.SortedFunc(maps.Keys(parameters), compareFolded) {
		text.WriteString("\n" + strings.ToLower(name) + ":" + joined(parameters, name))
	}
	return text.String()
}

func compareFolded(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) }

// joined returns the values of a parameter.
func joined(parameters url.Values, name string) string {
	return strings.Join(slices.Sorted(slices.Values(parameters[name])), ",")
}
