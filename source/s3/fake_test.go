package s3

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tileserver/source/web"
)

// fake is a server that speaks as S3 does, and checks signatures by the text of their specification.
type fake struct {
	region  string            // of all buckets
	secrets map[string]string // of access keys that are valid
	objects map[string]int    // sizes by key, of all buckets
	lists   int               // that were asked for

	mu   sync.Mutex // guards the field below
	seen []*http.Request
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.seen = append(f.seen, r)
	f.mu.Unlock()
	switch signature, err := readSignature(r); {
	case err != nil:
		refuse(w, 403, "AccessDenied", err.Error())
	case signature == nil:
		refuse(w, 403, "AccessDenied", "anonymous")
	case f.secrets[signature.id] == "":
		refuse(w, 400, "ExpiredToken", "")
	case signature.region != f.region:
		w.Header().Set("x-amz-bucket-region", f.region)
		refuse(w, 301, "PermanentRedirect", "")
	case signature.of(r, f.secrets[signature.id]) != signature.signature:
		refuse(w, 403, "SignatureDoesNotMatch", "")
	default:
		f.answer(w, r)
	}
}

func refuse(w http.ResponseWriter, status int, code, why string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, "<?xml version='1.0'?><Error><Code>%s</Code><Message>%s</Message></Error>", code, why)
}

// answer lists objects, or tells the size of one.
func (f *fake) answer(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("list-type") == "2" {
		f.list(w, r.URL.Query())
		return
	}
	_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if size, ok := f.objects[key]; ok {
		fmt.Fprint(w, size)
		return
	}
	refuse(w, 404, "NoSuchKey", "")
}

// list answers ListObjectsV2: keys in their order, of which those with the same folder are one.
func (f *fake) list(w http.ResponseWriter, query url.Values) {
	f.lists++
	most, _ := strconv.Atoi(query.Get("max-keys"))
	var body strings.Builder
	count, last := 0, ""
	for _, key := range slices.Sorted(maps.Keys(f.objects)) {
		rest, isWithin := strings.CutPrefix(key, query.Get("prefix"))
		name, _, isFolder := strings.Cut(rest, "/")
		whole := query.Get("prefix") + name
		if isFolder {
			whole += "/"
		}
		if !isWithin || whole <= query.Get("continuation-token") || whole == last {
			continue
		}
		if count == most {
			fmt.Fprintf(&body, "<IsTruncated>true</IsTruncated><NextContinuationToken>%s</NextContinuationToken>", plain(last))
			break
		}
		count, last = count+1, whole
		if isFolder {
			fmt.Fprintf(&body, "<CommonPrefixes><Prefix>%s</Prefix></CommonPrefixes>", url.QueryEscape(whole))
			continue
		}
		fmt.Fprintf(&body, "<Contents><Key>%s</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>&quot;t&quot;</ETag><Size>%d</Size></Contents>",
			url.QueryEscape(key), f.objects[key])
	}
	fmt.Fprintf(w, "<ListBucketResult><EncodingType>url</EncodingType>%s</ListBucketResult>", body.String())
}

func plain(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}

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
	at, err := time.Parse("20060102T150405Z", s.moment)
	if age := time.Since(at).Abs(); err != nil || age > 15*time.Minute || !strings.HasPrefix(s.moment, s.date) {
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

// send signs a request and brings it to the server, whatever its host. It tries again once if the service
// learned something, as all who send requests do.
func (f *fake) send(ctx context.Context, s *Service, u *url.URL, headers http.Header) (*http.Response, error) {
	for isSecond := false; ; isSecond = true {
		r, err := http.NewRequestWithContext(ctx, "GET", u.String(), nil)
		if err != nil {
			return nil, err
		}
		maps.Copy(r.Header, headers)
		if err := s.Sign(ctx, r); err != nil {
			return nil, err
		}
		arrived := httptest.NewRequest("GET", r.URL.RequestURI(), nil)
		arrived.Host, arrived.Header = cmp.Or(r.Host, r.URL.Host), r.Header
		recorded := httptest.NewRecorder()
		f.ServeHTTP(recorded, arrived)
		answer := recorded.Result()
		if answer.StatusCode < 300 || answer.StatusCode == 404 || isSecond ||
			!s.Learn(ctx, web.Refusal{URL: u, Status: answer.StatusCode, Header: answer.Header, Body: recorded.Body.Bytes()}) {
			return answer, nil
		}
	}
}

// get returns what gets documents from the server.
func (f *fake) get(s *Service) web.Get {
	return func(ctx context.Context, u *url.URL) ([]byte, error) {
		answer, err := f.send(ctx, s, u, nil)
		if err != nil {
			return nil, err
		}
		body := make([]byte, 4<<20)
		n, _ := answer.Body.Read(body)
		switch answer.StatusCode {
		case 200:
			return body[:n], nil
		case 404:
			return nil, fs.ErrNotExist
		}
		return nil, fmt.Errorf("status %d: %s", answer.StatusCode, body[:n])
	}
}

// noFiles lets the SDK of AWS find nothing on the machine, and no variables but those given.
func noFiles(t *testing.T, variables ...string) {
	t.Helper()
	for _, name := range []string{
		"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL",
		"AWS_ENDPOINT_URL_S3", "AWS_NO_SIGN_REQUEST", "AWS_REQUEST_PAYER", "AWS_VIRTUAL_HOSTING", "AWS_CA_BUNDLE", "AWS_ROLE_ARN",
		"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
	} {
		t.Setenv(name, "")
	}
	folder := t.TempDir()
	t.Setenv("AWS_CONFIG_FILE", folder+"/config")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", folder+"/credentials")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	for i := 0; i < len(variables); i += 2 {
		t.Setenv(variables[i], variables[i+1])
	}
}
