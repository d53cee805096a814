package http_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/klauspost/compress/gzip"

	"tileserver/http/servertest"
)

func TestTextIsCompressedIfAccepted(t *testing.T) {
	server := servertest.New(t, nil)
	plain := server.Get(t, "/layers")
	for encodings, want := range map[string]bool{
		"gzip": true, "br, GZip;q=0.5": true, "*": true, "gzip;q=0": false, "*, gzip;q=0": false, "gzip;q=0, *": false, "*;q=0, gzip": true, "br": false, "identity": false, "": false,
	} {
		got := server.GetEncoded("/layers", encodings, "")
		if compressed := got.Header().Get("Content-Encoding") == "gzip"; compressed != want {
			t.Errorf("with %q, compressed is %v", encodings, compressed)
		}
		if got.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("with %q: Vary %q", encodings, got.Header().Get("Vary"))
		}
		if !want {
			continue
		}
		reader, err := gzip.NewReader(got.Body)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(reader); err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
			t.Errorf("with %q, the text differs: %v", encodings, err)
		}
		if got.Header().Get("ETag") == plain.Header().Get("ETag") {
			t.Errorf("different bytes have the same validator %s", got.Header().Get("ETag"))
		}
		if again := server.GetEncoded("/layers", encodings, got.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("revalidation with %q: status %d, Vary %q", encodings, again.Code, again.Header().Get("Vary"))
		}
	}
}

func TestPicturesAndShortTextsAreNotCompressed(t *testing.T) {
	server := servertest.New(t, nil)
	for _, path := range []string{"/tiles/map/" + servertest.CornerTile + ".png", "/layers/map/preview.webp", "/layers/none", "/layers/map/point/12,50?crs=image"} {
		got := server.GetEncoded(path, "gzip", "")
		if got.Header().Get("Content-Encoding") != "" || got.Header().Get("Vary") != "" {
			t.Errorf("%s (%d) is encoded by %q and varies by %q", path, got.Code, got.Header().Get("Content-Encoding"), got.Header().Get("Vary"))
		}
	}
}

func TestTextsOfAllTypesAreCompressed(t *testing.T) {
	server := servertest.New(t, nil)
	for path, mime := range map[string]string{
		"/":                              "text/html; charset=utf-8",
		"/layers":                        "application/json",
		capabilitiesPath:                 "application/xml",
		"/tms/1.0.0/":                    "text/xml; charset=utf-8",
		"/ogc/api":                       "application/vnd.oai.openapi+json;version=3.0",
		"/ogc/map/tiles/WebMercatorQuad": "application/json",
	} {
		plain, got := server.Get(t, path), server.GetEncoded(path, "gzip", "")
		if got.Header().Get("Content-Type") != mime || got.Header().Get("Content-Encoding") != "gzip" || got.Body.Len() >= plain.Body.Len() {
			t.Errorf("%s has %d bytes with %v, and without compression %d", path, got.Body.Len(), got.Header(), plain.Body.Len())
		}
	}
}
