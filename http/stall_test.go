package http_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	tilehttp "tileserver/http"
	"tileserver/http/servertest"
	"tileserver/layer"
)

// noise returns incompressible samples.
func noise(_, band, x, y int) (float64, bool) {
	v := uint32(x+601*(y+499*band)) * 2654435761
	v = (v ^ v>>15) * 2246822519
	return float64((v ^ v>>13) >> 24), true
}

const wholePreview = "/layers/map/preview.png?max_size=2048"

func TestStalledClientLosesItsSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout = 7 * time.Second
		server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) {
			config.MaxRequests, config.SendTimeout = 1, timeout
		})
		client := server.Listen(t).Request(t, wholePreview)
		if got := server.Get(t, "/layers"); got.Code != http.StatusServiceUnavailable {
			t.Errorf("during a stalled response, the next request: status %d, want 503", got.Code)
		}
		time.Sleep(timeout - 1)
		if got := server.Get(t, "/layers"); got.Code != http.StatusServiceUnavailable {
			t.Errorf("just before the deadline, the next request: status %d, want 503", got.Code)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if got := server.Get(t, "/layers"); got.Code != http.StatusOK {
			t.Errorf("at the deadline, the next request: status %d, want 200", got.Code)
		}
		if got, err := io.ReadAll(client); len(got) != 0 || err != nil {
			t.Errorf("after the deadline: %d bytes, error %v", len(got), err)
		}
	})
}

func TestSendTimeoutGrowsWithSize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout = 7 * time.Second
		server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.SendTimeout = timeout })
		server.Providers["map"].Sample = noise
		size := server.Get(t, wholePreview).Body.Len()
		const chunk = 512 << 10
		if size < chunk {
			t.Fatalf("the picture of %d bytes is too small for this test", size)
		}
		client := server.Listen(t).Request(t, wholePreview)
		time.Sleep(timeout*time.Duration(1+size/chunk) - 1)
		if _, err := client.Read(make([]byte, 100)); err != nil {
			t.Errorf("just before the deadline of %d bytes: %v", size, err)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if _, err := io.ReadAll(client); err != nil {
			t.Error(err)
		}
	})
}

func TestSendingCachedBodyNeedsNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.MaxRequests = 1 })
		p := server.Listen(t)
		for _, path := range []string{wholePreview, "/"} {
			server.Get(t, path) // to cache it
			client := p.Request(t, path)
			if got := server.Get(t, "/layers"); got.Code != http.StatusOK {
				t.Errorf("while %s is sent, the next request: status %d, want 200", path, got.Code)
			}
			client.Close()
			synctest.Wait()
		}
	})
}

// meanwhile is a client that calls a function before it reads a response.
type meanwhile struct {
	*httptest.ResponseRecorder
	do func()
}

func (m meanwhile) Write(p []byte) (int, error) {
	m.do()
	return m.ResponseRecorder.Write(p)
}

// A response that is computed for one client holds memory until it is sent. The HTML page is
// compressed once for all clients.
func TestSendingUncachedBodyNeedsASlot(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.MaxRequests = 1 })
	for _, test := range []struct {
		path, encoding string
		want           int
	}{
		{"/", "", http.StatusOK}, {"/", "gzip", http.StatusOK}, {"/ogc/api", "gzip", http.StatusServiceUnavailable},
	} {
		r := httptest.NewRequest(http.MethodGet, test.path, nil)
		r.Header.Set("Accept-Encoding", test.encoding)
		beside := 0
		client := meanwhile{httptest.NewRecorder(), func() { beside = server.Get(t, "/layers").Code }}
		server.Handler.ServeHTTP(client, r)
		if got := client.Header().Get("Content-Encoding"); got != test.encoding || beside != test.want {
			t.Errorf("while %s with encoding %q is sent, the next request: status %d, want %d for %q", test.path, got, beside, test.want, test.encoding)
		}
	}
}

// Ranges of a cached picture are slices of it, so sending them needs no slot either.
func TestSendingCachedRangesNeedsNoSlot(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.MaxRequests = 1 })
	const path = "/layers/map/preview.tif?max_size=101"
	server.Get(t, path) // to cache it
	for _, parts := range []string{"bytes=0-9", "bytes=0-9,30-39"} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Range", parts)
		beside := 0
		client := meanwhile{httptest.NewRecorder(), func() { beside = server.Get(t, "/layers").Code }}
		server.Handler.ServeHTTP(client, r)
		if client.Code != http.StatusPartialContent || beside != http.StatusOK {
			t.Errorf("while %s is sent (status %d), the next request: status %d, want 200", parts, client.Code, beside)
		}
	}
}
