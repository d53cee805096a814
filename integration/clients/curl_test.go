package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const aTile = "/tiles/mercator/12/2200/1340.png"

// curl runs curl. It returns the body, and what --write-out prints about the last answer.
func curl(t testing.TB, writeOut string, args ...string) (body []byte, written string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "body")
	out := run(t, "curl", append([]string{"--silent", "--show-error", "--max-time", "20", "--output", path, "--write-out", writeOut}, args...)...)
	body, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) { // curl writes no file for an empty body
		t.Fatal(err)
	}
	return body, string(out)
}

func TestCurlGetsTheSameHeadersWithHEAD(t *testing.T) {
	require(t, curlPart)
	maps := everything.maps(t)
	const seen = "%{http_code} %header{content-type} %header{content-length} %header{etag} %header{cache-control}"
	for _, path := range []string{aTile, "/layers", "/layers/mercator/tilejson.json"} {
		body, got := curl(t, seen, maps+path)
		if len(body) == 0 || !strings.HasPrefix(got, "200 ") {
			t.Errorf("%s: %s with %d bytes", path, got, len(body))
		}
		// With --head, curl writes the headers as the body.
		if _, head := curl(t, seen, "--head", maps+path); head != got {
			t.Errorf("%s: HEAD says %s, GET says %s", path, head, got)
		}
	}
}

func TestCurlUnpacksText(t *testing.T) {
	require(t, curlPart)
	address := everything.maps(t) + "/layers"
	plain, encoding := curl(t, "%header{content-encoding}", address)
	if encoding != "" {
		t.Errorf("without a request for compression, Content-Encoding is %s", encoding)
	}
	unpacked, encoding := curl(t, "%header{content-encoding}", "--compressed", address)
	if encoding != "gzip" || !bytes.Equal(unpacked, plain) {
		t.Errorf("with --compressed, Content-Encoding is %q and the body has %d bytes, want %d", encoding, len(unpacked), len(plain))
	}
	if _, encoding := curl(t, "%header{content-encoding}", "--compressed", everything.maps(t)+aTile); encoding != "" {
		t.Errorf("a picture is compressed again: %s", encoding)
	}
}

func TestCurlRevalidates(t *testing.T) {
	require(t, curlPart)
	for _, path := range []string{aTile, "/layers/mercator/tilejson.json"} {
		etag := filepath.Join(t.TempDir(), "etag")
		curl(t, "", "--etag-save", etag, everything.maps(t)+path)
		body, status := curl(t, "%{http_code}", "--etag-compare", etag, everything.maps(t)+path)
		if status != "304" || len(body) != 0 {
			t.Errorf("%s: %s with %d bytes, want 304", path, status, len(body))
		}
	}
}

func TestCurlGetsThePartThatItAsksFor(t *testing.T) {
	require(t, curlPart)
	whole, _ := curl(t, "", everything.maps(t)+aTile)
	part, status := curl(t, "%{http_code}", "--range", "10-19", everything.maps(t)+aTile)
	if status != "206" || !bytes.Equal(part, whole[10:20]) {
		t.Errorf("%s with %d bytes, want 10 of %d", status, len(part), len(whole))
	}
}

func TestCurlFailsWhereItShould(t *testing.T) {
	require(t, curlPart)
	const failedByStatus = 22
	for path, want := range map[string]string{
		"/tiles/nothing/0/0/0.png":            "404",
		"/tiles/mercator/12/2200/1340.bmp":    "404",
		aTile + "?rescale=black,white":        "400",
		"/tiles/mercator/12/2200/9999999.png": "404",
	} {
		command := exec.CommandContext(t.Context(), "curl", "--silent", "--fail", "--output", os.DevNull, "--write-out", "%{http_code}", everything.maps(t)+path)
		status, err := command.Output()
		if string(status) != want || command.ProcessState.ExitCode() != failedByStatus {
			t.Errorf("%s: status %s, %v, want %s and exit status %d", path, status, err, want, failedByStatus)
		}
	}
	if _, status := curl(t, "%{http_code} %header{allow}", "--data", "x", everything.maps(t)+"/layers"); !strings.HasPrefix(status, "405 GET") {
		t.Errorf("POST: %s", status)
	}
}

func TestCurlBehindAProxySeesThePublicAddress(t *testing.T) {
	require(t, curlPart)
	body, _ := curl(t, "",
		"--header", "X-Forwarded-Proto: https", "--header", "X-Forwarded-Host: maps.example", "--header", "X-Forwarded-Prefix: /imagery",
		everything.maps(t)+"/layers/mercator/tilejson.json")
	var document struct{ Tiles []string }
	if err := json.Unmarshal(body, &document); err != nil {
		t.Fatal(err)
	}
	const want = "https://maps.example/imagery/tiles/mercator/{z}/{x}/{y}.png"
	if len(document.Tiles) != 1 || document.Tiles[0] != want {
		t.Errorf("the tiles are at %q, want %s", document.Tiles, want)
	}
}

func TestCrossOriginRequestsAreAllowed(t *testing.T) {
	require(t, curlPart)
	if _, got := curl(t, "%header{access-control-allow-origin}", "--header", "Origin: https://other.example", everything.maps(t)+aTile); got != "*" {
		t.Errorf("%s: %q, want *", http.CanonicalHeaderKey("access-control-allow-origin"), got)
	}
}
