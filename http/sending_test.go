package http_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	tilehttp "tileserver/http"
	"tileserver/http/answer"
	"tileserver/http/servertest"
	"tileserver/layer"
	"tileserver/raster"
)

// largeView returns the address of a view that may have 4 MiB, another one for each number.
func largeView(number int) string {
	return fmt.Sprintf("/layers/map/view.png?crs=image&bbox=0,0,%d,99&width=1024&height=1024", 90+number)
}

// statusOf reads the head of a response.
func statusOf(t *testing.T, client net.Conn) *http.Response {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

func TestALargeAnswerWaitsForBytesBeforeItIsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout = 20 * time.Second
		sending := answer.NewSending(answer.SendingConfig{MaxBytes: 12 << 20}) // 9 MiB for large answers
		server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) {
			config.Sending, config.RequestTimeout = sending, timeout
		})
		server.Providers["map"].Sample = noise
		p := server.Listen(t)
		stalled := []net.Conn{p.Request(t, largeView(0)), p.Request(t, largeView(1)), p.Request(t, largeView(2))}
		reads := server.Reads()
		waiting := p.Request(t, largeView(3))
		if got, load := sending.Stats(), server.Catalog.Stats(); got.Waiting != 1 || load.Working != 0 || server.Reads() != reads {
			t.Fatalf("%+v, %d working, %d reads: want one to wait that has read nothing", got, load.Working, server.Reads()-reads)
		}
		for _, tile := range []string{".png", "@2x.png", "@2x.webp?lossless=true"} {
			if got := server.Get(t, "/tiles/map/"+servertest.CornerTile+tile); got.Code != http.StatusOK {
				t.Errorf("%s beside large answers: status %d", tile, got.Code)
			}
		}
		stalled[1].Close()
		synctest.Wait()
		if got := statusOf(t, waiting); got.StatusCode != http.StatusOK {
			t.Errorf("with bytes again: status %d", got.StatusCode)
		}
		late := p.Request(t, largeView(4))
		time.Sleep(timeout / 2)
		if got := statusOf(t, late); got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Retry-After") != "10" {
			t.Errorf("without bytes for half of the time: status %d, Retry-After %q", got.StatusCode, got.Header.Get("Retry-After"))
		}
	})
}

func TestALargeAnswerTakesNoBytesWhileItWaitsForStatistics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sending := answer.NewSending(answer.SendingConfig{MaxBytes: 12 << 20})
		server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.Sending = sending })
		server.Providers["map"].Before = func(context.Context, int, []raster.BlockID, []int) error {
			time.Sleep(time.Second)
			return nil
		}
		p := server.Listen(t)
		client := p.Request(t, largeView(0)+"&stretch=minmax")
		if got := sending.Stats(); got.UsedBytes != 0 {
			t.Errorf("while the statistics are read, %+v", got)
		}
		if got := statusOf(t, client); got.StatusCode != http.StatusOK {
			t.Errorf("with statistics: status %d", got.StatusCode)
		}
	})
}

func TestATooLargeAnswerIsRejectedBeforeItIsMade(t *testing.T) {
	sending := answer.NewSending(answer.SendingConfig{MaxBytes: 4 << 20}) // 3 MiB for large answers
	server := servertest.New(t, func(_ *layer.CatalogConfig, config *tilehttp.Config) { config.Sending = sending })
	for query, want := range map[string]int{
		"view.png?crs=image&bbox=0,0,99,99&width=1024&height=1024": http.StatusRequestEntityTooLarge, // 4 bytes a pixel
		"view.png?crs=image&bbox=0,0,99,99&width=800&height=800":   http.StatusOK,
		"view.npy?crs=image&bbox=0,0,99,99&width=800&height=800":   http.StatusRequestEntityTooLarge, // 3 bands and a mask
		"view.tif?crs=image&bbox=0,0,99,99&width=800&height=800":   http.StatusRequestEntityTooLarge,
		"view.tif?crs=image&bbox=0,0,99,99&width=600&height=600":   http.StatusOK,
	} {
		reads := server.Reads()
		got := server.Get(t, "/layers/map/"+query)
		if got.Code != want || want != http.StatusOK && server.Reads() > reads {
			t.Errorf("%s: status %d and %d reads, want %d", query, got.Code, server.Reads()-reads, want)
		}
	}
	if got := sending.Stats(); got.UsedBytes != 0 {
		t.Errorf("at the end: %+v", got)
	}
}

// Clients that read the same cached view share its bytes.
func TestACachedAnswerCountsOnceForAllClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sending := answer.NewSending(answer.SendingConfig{MaxBytes: 8 << 20})
		server := serveNoise(t, sending)
		size := int64(server.Get(t, largeView(0)).Body.Len())
		p := server.Listen(t)
		var clients []net.Conn
		for range 20 {
			clients = append(clients, p.Request(t, largeView(0)))
		}
		if got := sending.Stats(); got.UsedBytes < size || got.UsedBytes >= 2*size || got.Waiting != 0 {
			t.Errorf("20 clients of %d bytes: %+v", size, got)
		}
		for _, c := range clients {
			c.Close()
		}
		synctest.Wait()
		if got := sending.Stats(); got.UsedBytes != 0 {
			t.Errorf("at the end: %+v", got)
		}
	})
}
