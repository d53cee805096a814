package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tileserver/source"
	"tileserver/source/s3"
	"tileserver/source/web"
	"tileserver/source/web/transport"
)

// region is that of the server. Services expect another one at first.
const region = "eu-central-1"

// startS3 runs versitygw, which checks signatures, and returns its URL. Its keys are in the environment.
func startS3(t *testing.T) (endpoint string) {
	t.Helper()
	program, address := find(t, "versitygw"), freeAddress(t)
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "tiles", "AWS_SECRET_ACCESS_KEY": "a secret/of+the tests", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_REGION": "",
		"AWS_DEFAULT_REGION": "", "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_ENDPOINT_URL": "", "AWS_ENDPOINT_URL_S3": "",
	} {
		t.Setenv(name, value)
	}
	endpoint = "http://" + address
	run(t, endpoint, program, "--access", "tiles", "--secret", "a secret/of+the tests", "--region", region, "--port", address, "--quiet",
		"posix", "--sidecar", t.TempDir(), t.TempDir())
	return endpoint
}

func service(t *testing.T, config s3.Config) *s3.Service {
	t.Helper()
	s, err := s3.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func storeOf(s web.Service) *web.Store {
	return web.NewStore(web.Config{Service: s, Client: transport.New(transport.Config{}), IsTrusted: true, Recheck: time.Hour})
}

// put makes a bucket or an object, with a signature of the service.
func put(t *testing.T, s *s3.Service, endpoint, key string, data []byte) {
	t.Helper()
	base := endpoint + "/maps"
	if key != "" {
		u, err := s.Locate("s3://maps/" + key)
		if err != nil {
			t.Fatal(err)
		}
		base = u.String()
	}
	r, err := http.NewRequest("PUT", base, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Sign(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if said, _ := io.ReadAll(answer.Body); answer.StatusCode != 200 {
		t.Fatalf("%q: status %d: %s", key, answer.StatusCode, said)
	}
}

// Signatures are right for all keys, for ranges and conditions, and after the region was learned. What a
// list says of an object is what the object says.
func TestARealServerOfS3AcceptsOurSignatures(t *testing.T) {
	endpoint := startS3(t)
	writer := service(t, s3.Config{Endpoint: endpoint, Region: region})
	put(t, writer, endpoint, "", nil)
	keys := []string{"a.tif", "a b+c%20.tif", "ü 日本.tif", "~x!$&'()*,;=:@?#[].tif", "control\x01.tif", "folder/b.tif", `"quoted" <&>.tif`}
	for i, key := range keys {
		put(t, writer, endpoint, key, bytes.Repeat([]byte{byte('a' + i)}, 300_000+i))
	}
	reader := service(t, s3.Config{Endpoint: endpoint})
	listing, opening := storeOf(reader), storeOf(reader)
	entries, err := listing.List(t.Context(), "s3://maps")
	if err != nil || len(entries) != len(keys) {
		t.Fatalf("%v, %v", entries, err)
	}
	for i, key := range keys {
		path := "s3://maps/" + key
		switch name, _, isFolder := strings.Cut(key, "/"); {
		case strings.Contains(key, "\x01"): // versitygw lists it with another character
		case !slices.Contains(entries, source.Entry{Name: name, Path: "s3://maps/" + name, IsFolder: isFolder}):
			t.Errorf("%q is not listed", key)
		case !isFolder:
			checkStates(t, listing, opening, path)
		}
		object, err := opening.Open(t.Context(), path)
		if err != nil {
			t.Errorf("%q: %v", key, err)
			continue
		}
		parts, err := object.ReadRanges(t.Context(), []source.Range{{Offset: 5, Length: 3}, {Offset: 299_990, Length: int64(10 + i)}})
		if err != nil || string(parts[1]) != strings.Repeat(string(rune('a'+i)), 10+i) {
			t.Errorf("%q: %q, %v", key, parts, err)
		}
		object.Close()
	}
}

// checkStates compares what a list told of an object with what the object tells.
func checkStates(t *testing.T, listing, opening *web.Store, path string) {
	t.Helper()
	listed, err := listing.Stat(t.Context(), path)
	opened, openErr := opening.Stat(t.Context(), path)
	if err != nil || openErr != nil || listed != opened {
		t.Errorf("%q: listed as %v, %v, opened as %v, %v", path, listed, err, opened, openErr)
	}
}

func TestARealServerOfS3ListsManyObjects(t *testing.T) {
	endpoint := startS3(t)
	s := service(t, s3.Config{Endpoint: endpoint, Region: region})
	put(t, s, endpoint, "", nil)
	const count = 1100
	for i := range count {
		put(t, s, endpoint, fmt.Sprintf("many +/%d/tile.tif", i), nil)
	}
	entries, err := storeOf(s).List(t.Context(), "s3://maps/many +/")
	isFolder := func(e source.Entry) bool { return e.IsFolder && e.Path == "s3://maps/many +/"+e.Name }
	if err != nil || len(entries) != count || slices.ContainsFunc(entries, func(e source.Entry) bool { return !isFolder(e) }) {
		t.Errorf("%d of %d, %v", len(entries), count, err)
	}
}

func TestARealServerOfS3RefusesOthers(t *testing.T) {
	endpoint := startS3(t)
	s := service(t, s3.Config{Endpoint: endpoint, Region: region})
	put(t, s, endpoint, "", nil)
	put(t, s, endpoint, "a.tif", []byte("bytes"))
	open := func(s web.Service, path string) error {
		_, err := storeOf(s).Open(context.Background(), path)
		return err
	}
	if err := open(s, "s3://maps/b.tif"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an object that is not there: %v", err)
	}
	if err := open(s, "s3://nothing/b.tif"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a bucket that is not there: %v", err)
	}
	if err := open(service(t, s3.Config{Endpoint: endpoint, Anonymous: true}), "s3://maps/a.tif"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a signature: %v", err)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "another")
	err := open(service(t, s3.Config{Endpoint: endpoint}), "s3://maps/a.tif")
	if err == nil || errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "another") {
		t.Errorf("with another secret: %v", err)
	}
}
