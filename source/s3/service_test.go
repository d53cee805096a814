package s3

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// serviceWith returns a service whose credentials have the keys that issue issues.
func serviceWith(config Config, issue func() aws.Credentials) *Service {
	return newService(config, func(context.Context) (aws.Config, error) {
		return aws.Config{Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return issue(), nil })}, nil
	})
}

func serviceOf(config Config) *Service {
	return serviceWith(config, func() aws.Credentials { return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"} })
}

func fakeOf(region string) *fake {
	return &fake{region: region, secrets: map[string]string{"id": "secret"}, objects: make(map[string]int)}
}

// status returns how the server answers to the request for an object.
func status(t *testing.T, f *fake, s *Service, path string, headers http.Header) int {
	t.Helper()
	u, err := s.Locate(path)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := f.send(t.Context(), s, u, headers)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode
}

func TestSignaturesOfAllKeysAreAccepted(t *testing.T) {
	noFiles(t)
	for name, config := range map[string]Config{
		"virtual hosts": {Endpoint: "https://example.org", Style: VirtualHosts}, "path style": {Endpoint: "http://127.0.0.1:9000"},
		"below a path": {Endpoint: "https://example.org/storage/s3 v1"}, "payer": {Endpoint: "https://example.org", RequesterPays: true},
	} {
		f, s := fakeOf(defaultRegion), serviceOf(config)
		for _, key := range []string{"a.tif", "a b+c%20.tif", "ü/日本.tif", "a//b.tif", "/a", "~x!$&'()*,;=:@?#[]", "a\x01\n\x7f"} {
			if got := status(t, f, s, "s3://maps/"+key, nil); got != 200 && got != 404 {
				t.Errorf("%s, %q: %d", name, key, got)
			}
		}
		if got := f.seen[0].Header.Get("X-Amz-Request-Payer"); (got == "requester") != config.RequesterPays {
			t.Errorf("%s: the payer is %q", name, got)
		}
	}
	f := fakeOf(defaultRegion)
	f.secrets["id"] = "another secret"
	if got := status(t, f, serviceOf(Config{Endpoint: "https://example.org"}), "s3://maps/a", nil); got != 403 {
		t.Errorf("a wrong secret: %d", got)
	}
}

// A proxy may change ranges and conditions, and a hedge asks for less.
func TestRangesAndConditionsAreNotPartOfTheSignature(t *testing.T) {
	noFiles(t)
	f, s := fakeOf(defaultRegion), serviceOf(Config{Endpoint: "https://example.org"})
	f.objects["a.tif"] = 7
	if got := status(t, f, s, "s3://maps/a.tif", http.Header{"Range": {"bytes=0-9"}, "If-Match": {`"t"`}, "Accept-Encoding": {"identity"}}); got != 200 {
		t.Fatalf("with headers: %d", got)
	}
	arrived := f.seen[0]
	given, err := readSignature(arrived)
	if err != nil || strings.Join(given.headers, " ") != "host x-amz-content-sha256 x-amz-date" {
		t.Errorf("%v are signed, %v", given.headers, err)
	}
	if arrived.Header.Get("Range") != "bytes=0-9" || arrived.Header.Get(hashHeader) != unsigned {
		t.Errorf("it arrives with %v", arrived.Header)
	}
}

func TestURLsAreInTheStyleOfTheServer(t *testing.T) {
	noFiles(t)
	for _, test := range []struct {
		config     Config
		path, want string
	}{
		{Config{}, "s3://maps/a/ü.tif", "https://maps.s3.us-east-1.amazonaws.com/a/%C3%BC.tif"},
		{Config{Region: "eu-west-1"}, "s3://maps.dotted/a", "https://s3.eu-west-1.amazonaws.com/maps.dotted/a"},
		{Config{Region: "eu-west-1"}, "s3://Old_Maps/a", "https://s3.eu-west-1.amazonaws.com/Old_Maps/a"},
		{Config{Region: "eu-west-1", Style: PathStyle}, "s3://maps/a", "https://s3.eu-west-1.amazonaws.com/maps/a"},
		{Config{Region: "cn-north-1"}, "s3://maps/a", "https://maps.s3.cn-north-1.amazonaws.com.cn/a"},
		{Config{Endpoint: "http://127.0.0.1:9000/"}, "s3://maps/a", "http://127.0.0.1:9000/maps/a"},
		{Config{Endpoint: "https://example.org/s3"}, "S3://maps//a/", "https://example.org/s3/maps//a"},
		{Config{Endpoint: "https://example.org", Style: VirtualHosts}, "s3://maps/a", "https://maps.example.org/a"},
		{Config{Endpoint: "https://example.org", Style: VirtualHosts}, "s3://my.maps/a", "https://example.org/my.maps/a"},
	} {
		s, err := New(test.config)
		if err != nil {
			t.Fatal(err)
		}
		u, err := s.Locate(test.path)
		if err != nil || u.String() != test.want {
			t.Errorf("%v %s: %v, %v", test.config, test.path, u, err)
		}
	}
	for _, path := range []string{"s3://", "s3://maps", "s3://maps/", "s3://a b/c", "s3://user:secret@host/a", "s3://maps/../a", "gs://maps/a", "s3://maps/\xff"} {
		if u, err := serviceOf(Config{}).Locate(path); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, %v", path, u, err)
		}
	}
	for _, config := range []Config{{Endpoint: "example.org"}, {Region: "a.b/c"}} {
		if _, err := New(config); err == nil {
			t.Errorf("%v was accepted", config)
		}
	}
}

// Nobody but the service of the buckets gets a signature, nor a token.
func TestRequestsToOthersAreNotSigned(t *testing.T) {
	noFiles(t)
	for _, test := range []struct {
		endpoint, url string
		isSigned      bool
	}{
		{"", "https://maps.s3.eu-west-1.amazonaws.com/a", true},
		{"", "https://s3.eu-west-1.amazonaws.com/maps/a", true},
		{"", "http://maps.s3.eu-west-1.amazonaws.com/a", false},
		{"", "https://maps.s3.eu-west-1.amazonaws.com:444/a", false},
		{"", "https://maps.s3.eu-west-1.amazonaws.com.example.org/a", false},
		{"", "https://maps.s3.cn-north-1.amazonaws.com/a", false},
		{"", "https://example.org/maps/a", false},
		{"", "https://s3.eu-west-1.amazonaws.com/", false},
		{"https://example.org/s3", "https://example.org/s3/maps/a", true},
		{"https://example.org/s3", "https://maps.example.org/s3/a", true},
		{"https://example.org/s3", "https://example.org/maps/a", false},
		{"https://example.org/s3", "http://example.org/s3/maps/a", false},
		{"https://example.org", "https://a.b.example.org/c", false},
		{"https://example.org", "https://evilexample.org/maps/a", false},
		{"https://example.org", "https://maps.s3.eu-west-1.amazonaws.com/a", false},
	} {
		r, err := http.NewRequest("GET", test.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := serviceOf(Config{Endpoint: test.endpoint}).Sign(t.Context(), r); err != nil || (r.Header.Get("Authorization") != "") != test.isSigned {
			t.Errorf("%s from %s: %v, %v", test.url, test.endpoint, r.Header, err)
		}
		if !test.isSigned && (len(r.Header) > 0 || r.URL.String() != test.url) {
			t.Errorf("%s was changed: %s %v", test.url, r.URL, r.Header)
		}
	}
}

func TestAnonymousRequestsAskNobodyForCredentials(t *testing.T) {
	noFiles(t)
	s := serviceWith(Config{Anonymous: true}, func() aws.Credentials { t.Error("credentials were asked for"); return aws.Credentials{} })
	f := fakeOf("eu-west-1")
	if got := status(t, f, s, "s3://maps/a", nil); got != 403 || len(f.seen) != 1 || len(f.seen[0].Header) != 0 {
		t.Errorf("%d after %d requests, with %v", got, len(f.seen), f.seen[0].Header)
	}
	if s.Learn(t.Context(), refusal(&url.URL{Scheme: "https", Host: "maps.s3.us-east-1.amazonaws.com", Path: "/a"}, 400, "ExpiredToken")) {
		t.Error("it has something to renew")
	}
}

func TestErrorsOfFilesDoNotStick(t *testing.T) {
	noFiles(t, "AWS_PROFILE", "missing")
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Locate("s3://maps/a"); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("a missing profile: %v", err)
	}
	t.Setenv("AWS_PROFILE", "")
	if _, err := s.Locate("s3://maps/a"); err != nil {
		t.Error(err)
	}
}

func TestWithoutCredentialsTheErrorSaysWhatToDo(t *testing.T) {
	noFiles(t)
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest("GET", "https://maps.s3.us-east-1.amazonaws.com/a", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Sign(t.Context(), r); err == nil || !strings.Contains(err.Error(), "AWS_NO_SIGN_REQUEST") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := serviceOf(Config{}).credentials.Value(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
