package s3

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// signature is an Authorization header of AWS4-HMAC-SHA256.
type signature struct {
	id, date, region  string
	headers           []string
	signature, moment string
}

// readSignature reads the signature of a request, which may have none.
func readSignature(r *http.Request) (*signature, error) {
	given := r.Header.Get("Authorization")
	if given == "" {
		return nil, nil
	}
	fields := make(map[string]string)
	for part := range strings.SplitSeq(strings.TrimPrefix(given, "AWS4-HMAC-SHA256 "), ", ") {
		name, value, _ := strings.Cut(part, "=")
		fields[name] = value
	}
	scope := strings.Split(fields["Credential"], "/")
	if len(scope) != 5 || scope[3] != "s3" || scope[4] != "aws4_request" {
		return nil, fmt.Errorf("the scope is %q", fields["Credential"])
	}
	s := &signature{scope[0], scope[1], scope[2], strings.Split(fields["SignedHeaders"], ";"), fields["Signature"], r.Header.Get("X-Amz-Date")}
	if !strings.HasPrefix(s.moment, s.date) {
		return nil, fmt.Errorf("the time is %q", s.moment)
	}
	for name := range r.Header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-amz-") && !slices.Contains(s.headers, name) {
			return nil, fmt.Errorf("%s is not signed", name)
		}
	}
	if !slices.Contains(s.headers, "host") {
		return nil, fmt.Errorf("the host is not signed")
	}
	return s, nil
}

// of computes the signature that a request must have: the steps of the specification one by one, from what
// was sent.
func (s *signature) of(r *http.Request, secret string) string {
	path, query, _ := strings.Cut(r.RequestURI, "?")
	var parameters []string
	if query != "" {
		parameters = strings.Split(query, "&")
	}
	slices.Sort(parameters)
	var headers strings.Builder
	for _, name := range s.headers {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	canonical := strings.Join([]string{
		r.Method, path, strings.Join(parameters, "&"), headers.String(), strings.Join(s.headers, ";"), r.Header.Get("X-Amz-Content-Sha256"),
	}, "\n")
	hashed := sha256.Sum256([]byte(canonical))
	scope := s.date + "/" + s.region + "/s3/aws4_request"
	text := "AWS4-HMAC-SHA256\n" + s.moment + "\n" + scope + "\n" + hex.EncodeToString(hashed[:])
	key := []byte("AWS4" + secret)
	for _, part := range []string{s.date, s.region, "s3", "aws4_request"} {
		key = mac(key, part)
	}
	return hex.EncodeToString(mac(key, text))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
