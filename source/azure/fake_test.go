package azure

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"tileserver/source/web"
)

// secret is the key of an account, in Base64.
var secret = base64.StdEncoding.EncodeToString([]byte("the key of an account"))

// fake is a server that speaks as the service of blobs does, for an account, and checks who asks.
type fake struct {
	account string
	token   string // that is accepted
	blobs   int    // in the folder that is listed; there is a folder, too
	seen    []*http.Request
	ahead   time.Duration // of its clock
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.seen = append(f.seen, r)
	switch given := r.Header.Get("Authorization"); {
	case r.Header.Get("x-ms-version") != "2023-11-03":
		refuse(w, 400, "InvalidHeaderValue")
	case strings.HasPrefix(given, "SharedKey ") && given != "SharedKey "+f.account+":"+f.signature(r):
		w.Header().Set("Date", time.Now().Add(f.ahead).UTC().Format(http.TimeFormat))
		refuse(w, 403, "AuthenticationFailed")
	case strings.HasPrefix(given, "Bearer ") && given != "Bearer "+f.token:
		refuse(w, 401, "InvalidAuthenticationInfo")
	case given == "" && r.URL.Query().Get("sig") != "a+b/c=":
		refuse(w, 404, "ResourceNotFound")
	case r.URL.Query().Get("comp") == "list":
		f.list(w, r.URL.Query())
	default:
		fmt.Fprint(w, r.URL.Path)
	}
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>%s</Code></Error>", code)
}

// signature computes the signature that a request must have, from what was sent: the steps of the specification one
// by one. Dates may be 15 minutes old.
func (f *fake) signature(r *http.Request) string {
	at, err := http.ParseTime(r.Header.Get("x-ms-date"))
	if err != nil || time.Since(at.Add(-f.ahead)).Abs() > 15*time.Minute {
		return "too late"
	}
	h := r.Header.Get
	lines := []string{
		r.Method, h("Content-Encoding"), h("Content-Language"), "", h("Content-MD5"), h("Content-Type"), h("Date"),
		h("If-Modified-Since"), h("If-Match"), h("If-None-Match"), h("If-Unmodified-Since"), h("Range"),
		"x-ms-date:" + h("x-ms-date"), "x-ms-version:" + h("x-ms-version"),
	}
	path, query, _ := strings.Cut(r.RequestURI, "?")
	lines = append(lines, "/"+f.account+path)
	var parameters []string
	for parameter := range strings.SplitSeq(query, "&") {
		name, value, isParameter := strings.Cut(parameter, "=")
		plain, err := url.QueryUnescape(value)
		if isParameter && err == nil {
			parameters = append(parameters, strings.ToLower(name)+":"+plain)
		}
	}
	slices.Sort(parameters)
	key, _ := base64.StdEncoding.DecodeString(secret)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(strings.Join(append(lines, parameters...), "\n")))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// list lists blobs, whose names are numbers. The marker of a page is its first one.
func (f *fake) list(w http.ResponseWriter, query url.Values) {
	prefix := strings.ReplaceAll(query.Get("prefix"), "&", "&amp;")
	first, _ := strconv.Atoi(query.Get("marker"))
	most, _ := strconv.Atoi(query.Get("maxresults"))
	fmt.Fprintf(w, "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults ContainerName=\"maps\"><Prefix>%s</Prefix><Blobs>", prefix)
	for i := first; i < min(first+most, f.blobs); i++ {
		fmt.Fprintf(w, "<Blob><Name>%s+%d</Name><Properties><Last-Modified>Fri, 02 Jan 2026 03:04:05 GMT</Last-Modified><Etag>0x%d</Etag>"+
			"<Content-Length>%d</Content-Length><ResourceType>file</ResourceType></Properties></Blob>", prefix, i, i, i)
	}
	next := ""
	if first+most < f.blobs {
		next = strconv.Itoa(first + most)
	} else if f.blobs%most > 0 {
		fmt.Fprintf(w, "<BlobPrefix><Name>%sfolder/</Name></BlobPrefix>", prefix)
	}
	fmt.Fprintf(w, "</Blobs><NextMarker>%s</NextMarker></EnumerationResults>", next)
}

// get returns what gets documents from the server, and tries again once if the service learned something.
func (f *fake) get(s *Service, headers http.Header) web.Get {
	return func(ctx context.Context, u *url.URL) ([]byte, error) {
		for isSecond := false; ; isSecond = true {
			r, err := http.NewRequestWithContext(ctx, "GET", u.String(), nil)
			if err != nil {
				return nil, err
			}
			for name := range headers {
				r.Header.Set(name, headers.Get(name))
			}
			if err := s.Sign(ctx, r); err != nil {
				return nil, err
			}
			arrived := httptest.NewRequest("GET", r.URL.RequestURI(), nil)
			arrived.Host, arrived.Header = r.URL.Host, r.Header
			answer := httptest.NewRecorder()
			f.ServeHTTP(answer, arrived)
			switch refused := (web.Refusal{URL: u, Status: answer.Code, Header: answer.Header(), Body: answer.Body.Bytes()}); {
			case answer.Code == 200:
				return answer.Body.Bytes(), nil
			case answer.Code == 404:
				return nil, fs.ErrNotExist
			case isSecond || !s.Learn(ctx, refused):
				return nil, fmt.Errorf("status %d: %s", answer.Code, answer.Body)
			}
		}
	}
}
