package s3

import (
	"cmp"
	"context"
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
	region  string         // of all buckets
	objects map[string]int // sizes by key, of all buckets
	lists   int            // that were asked for
	seen    []*http.Request
	ahead   time.Duration // of its clock

	mu      sync.Mutex        // guards the field below
	secrets map[string]string // of access keys that are valid
}

// allow makes an access key valid, or no longer if the secret is "".
func (f *fake) allow(id, secret string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.secrets[id] = secret
}

// revokeAll makes all access keys invalid.
func (f *fake) revokeAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.secrets)
}

// secretOf returns the secret of an access key, or "" if it is not valid.
func (f *fake) secretOf(s *signature) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s == nil {
		return ""
	}
	return f.secrets[s.id]
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.seen = append(f.seen, r)
	signature, err := readSignature(r)
	switch secret := f.secretOf(signature); {
	case err != nil:
		refuse(w, 403, "AccessDenied", err.Error())
	case signature != nil && f.isSkewed(r):
		w.Header().Set("Date", time.Now().Add(f.ahead).UTC().Format(http.TimeFormat))
		refuse(w, 403, "RequestTimeTooSkewed", "")
	case signature == nil:
		refuse(w, 403, "AccessDenied", "anonymous")
	case secret == "":
		refuse(w, 400, "ExpiredToken", "")
	case signature.region != f.region:
		w.Header().Set("x-amz-bucket-region", f.region)
		refuse(w, 301, "PermanentRedirect", "")
	case signature.of(r, secret) != signature.signature:
		refuse(w, 403, "SignatureDoesNotMatch", "")
	default:
		f.answer(w, r)
	}
}

// isSkewed reports whether the time of a signature differs by more than 15 minutes.
func (f *fake) isSkewed(r *http.Request) bool {
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	return err != nil || time.Until(at.Add(-f.ahead)).Abs() > 15*time.Minute
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
