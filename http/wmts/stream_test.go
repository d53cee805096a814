package wmts_test

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	tilehttp "tileserver/http"
	"tileserver/http/answer"
	"tileserver/http/servertest"
	"tileserver/layer"
)

// A document longer than the buffer is sent in chunks.
func TestWMTSLongDocument(t *testing.T) {
	server := servertest.New(t, nil)
	server.AddMany(t, 18)
	listening := httptest.NewServer(server.Handler)
	defer listening.Close()
	ask := func(method, coding, etag string) *http.Response {
		t.Helper()
		r, err := http.NewRequest(method, listening.URL+metadataPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", coding)
		r.Header.Set("If-None-Match", etag)
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	plain := ask(http.MethodGet, "identity", "")
	want, err := io.ReadAll(plain.Body)
	if err != nil || len(want) < 300<<10 {
		t.Fatalf("the document has %d bytes: %v", len(want), err)
	}
	recorder := httptest.NewRecorder()
	recorder.Body.Write(want)
	if d := capabilitiesOf(t, recorder); len(d.Contents.Layers) != 24 {
		t.Errorf("it has %d layers, want 24", len(d.Contents.Layers))
	}
	packed := ask(http.MethodGet, "gzip", "")
	if packed.Header.Get("Content-Encoding") != "gzip" || packed.Header.Get("ETag") == plain.Header.Get("ETag") {
		t.Errorf("the compressed document has the headers %v", packed.Header)
	}
	unpacked, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(unpacked); err != nil || string(got) != string(want) {
		t.Errorf("the decompressed document differs, %d bytes: %v", len(got), err)
	}
	head := ask(http.MethodHead, "gzip", "")
	if head.StatusCode != http.StatusOK || head.Header.Get("ETag") != packed.Header.Get("ETag") || head.Header.Get("Content-Type") != "application/xml" {
		t.Errorf("HEAD is %s with %v", head.Status, head.Header)
	}
	for _, has := range []*http.Response{plain, packed} {
		if again := ask(http.MethodGet, "gzip", has.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
			t.Errorf("revalidation: %s", again.Status)
		} else if !slices.Equal(again.Header.Values("Vary"), packed.Header.Values("Vary")) {
			t.Errorf("Vary is %q after revalidation, %q before", again.Header.Values("Vary"), packed.Header.Values("Vary"))
		}
	}
}

// leaver is a client that disconnects after some chunks.
type leaver struct {
	header  http.Header
	pieces  int
	largest int
	after   int // chunks received after disconnecting
}

func (l *leaver) Header() http.Header { return l.header }

func (l *leaver) WriteHeader(int) {}

func (l *leaver) Write(p []byte) (int, error) {
	l.largest = max(l.largest, len(p))
	if l.pieces == 0 {
		l.after++
		return 0, errors.New("broken pipe")
	}
	l.pieces--
	return len(p), nil
}

func TestWMTSLongDocumentStopsWithTheClient(t *testing.T) {
	server := servertest.New(t, nil)
	server.AddMany(t, 150)
	client := &leaver{header: make(http.Header), pieces: 1}
	server.Handler.ServeHTTP(client, httptest.NewRequest(http.MethodGet, metadataPath, nil))
	if client.after != 1 {
		t.Errorf("%d chunks were sent to a disconnected client", client.after)
	}
	if client.largest == 0 || client.largest > 256<<10 {
		t.Errorf("a chunk has %d bytes", client.largest)
	}
}

// Each piece has a deadline of its own, so a long document may take longer than a short one.
func TestWMTSLongDocumentMayTakeLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout, pace = 10 * time.Second, 128 << 10
		server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) {
			config.Sending = answer.NewSending(answer.SendingConfig{MinRate: 32 << 10}) // over the timeout
		})
		server.AddMany(t, 400)
		client := server.Listen(t).Request(t, metadataPath)
		response, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil {
			t.Fatal(err)
		}
		start, size := time.Now(), int64(0)
		for err == nil {
			var n int64
			n, err = io.CopyN(io.Discard, response.Body, pace)
			size += n
			time.Sleep(timeout / 3)
		}
		if took := time.Since(start); err != io.EOF || took <= timeout {
			t.Errorf("%d bytes of a document within %v, then %v", size, took, err)
		}
	})
}

func BenchmarkWMTSCapabilities(b *testing.B) {
	for _, layers := range []int{10, 1000} {
		server := servertest.New(b, nil)
		server.AddMany(b, layers)
		b.Run(strconv.Itoa(layers), func(b *testing.B) {
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				client := &counter{header: make(http.Header)}
				server.Handler.ServeHTTP(client, httptest.NewRequest(http.MethodGet, metadataPath, nil))
				size = client.bytes
			}
			b.SetBytes(int64(size))
		})
	}
}

// counter is a client that counts bytes and drops them.
type counter struct {
	header http.Header
	bytes  int
}

func (c *counter) Header() http.Header { return c.header }

func (c *counter) WriteHeader(int) {}

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += len(p)
	return len(p), nil
}
