package http_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	tilehttp "tileserver/http"
	"tileserver/http/answer"
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

// serveNoise serves layers of incompressible pixels.
func serveNoise(t *testing.T, sending *answer.Sending) *servertest.Server {
	server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.Sending = sending })
	server.Providers["map"].Sample = noise
	return server
}

func TestStalledClientIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const allowance, window = 7 * time.Second, 10 * time.Second
		sending := answer.NewSending(answer.SendingConfig{MaxBytes: 64 << 20, MinRate: 16 << 10, Allowance: allowance})
		client := serveNoise(t, sending).Listen(t).Request(t, wholePreview)
		time.Sleep(allowance + window - 1)
		if got := sending.Stats(); got.CutOff != 0 || got.UsedBytes == 0 {
			t.Errorf("just before the deadline: %+v", got)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if got := sending.Stats(); got.CutOff != 1 || got.UsedBytes != 0 {
			t.Errorf("at the deadline: %+v", got)
		}
		if got, err := io.ReadAll(client); len(got) != 0 || err != nil {
			t.Errorf("after the deadline: %d bytes, error %v", len(got), err)
		}
	})
}

// A client that reads hardly faster than it must gets its picture, whatever its size.
func TestSlowClientGetsItsPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rate = 16 << 10
		sending := answer.NewSending(answer.SendingConfig{MaxBytes: 64 << 20, MinRate: rate})
		server := serveNoise(t, sending)
		size := server.Get(t, wholePreview).Body.Len()
		client := server.Listen(t).Request(t, wholePreview)
		read := 0
		for buffer := make([]byte, rate*5/4); read < size; time.Sleep(time.Second) {
			n, err := io.ReadFull(client, buffer[:min(len(buffer), size-read)])
			if err != nil {
				t.Fatalf("after %d of %d bytes: %v", read, size, err)
			}
			read += n
		}
		if got := sending.Stats(); got.CutOff != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestSendingNeedsNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.MaxRequests = 1 })
		p := server.Listen(t)
		for _, path := range []string{wholePreview, "/", "/layers"} {
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

func TestSendingRangesNeedsNoSlot(t *testing.T) {
	server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.MaxRequests = 1 })
	const path = "/layers/map/preview.tif?max_size=101"
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
