package integration

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

func skipWithoutInterrupt(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("this system cannot interrupt another program")
	}
}

func TestAnInterruptEndsTheServerCleanly(t *testing.T) {
	skipWithoutInterrupt(t)
	s := newWorld(t)
	get(t, s.maps+"/tiles/colors/"+cornerTile+".png")
	if err := s.stop(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// The client reads only the beginning of a large answer, more than the network buffers can hold.
// The server is interrupted before it has sent the rest.
func TestARequestInFlightIsFinished(t *testing.T) {
	skipWithoutInterrupt(t)
	folder := t.TempDir()
	writeTIFF(t, folder, "noise.tif", tifftest.File{Images: []tifftest.Image{{Width: 512, Height: 512, Samples: 3, Value: noise}}})
	s := start(t, "serve", folder)
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.maps, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if err := connection.(*net.TCPConn).SetReadBuffer(16 << 10); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(connection, "GET /layers/noise/view.png?crs=image&bbox=0,0,512,512&width=3000 HTTP/1.1\r\nHost: test\r\n\r\n")
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.stop() }()
	eventually(t, "no other request is accepted", func() bool {
		other, err := net.Dial("tcp", strings.TrimPrefix(s.maps, "http://"))
		if err == nil {
			other.Close()
		}
		return err != nil
	})
	body, err := io.ReadAll(response.Body)
	if err != nil || int64(len(body)) != response.ContentLength {
		t.Errorf("%d of %d bytes came: %v", len(body), response.ContentLength, err)
	}
	const between = 8 << 20 // more than systems buffer for one connection
	if len(body) < between {
		t.Fatalf("the answer has only %d bytes, so that it was sent before", len(body))
	}
	if size := decodePicture(t, body).Bounds().Dx(); size != 3000 {
		t.Errorf("the picture is %d wide", size)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// A picture that would take longer than the server may is given up while its client can still be told.
func TestARequestThatWouldOutlastTheServerIsAnswered(t *testing.T) {
	skipWithoutInterrupt(t)
	folder := t.TempDir()
	writeTIFF(t, folder, "huge.tif", tifftest.File{Images: []tifftest.Image{repeated(32, 32, 2048)}})
	s := start(t, "serve", folder, "--workers", "1", "--shutdown-timeout", "400ms")
	asked := make(chan answer, 1)
	go func() {
		a, err := tryAsk(t, http.MethodGet, s.maps+"/layers/huge/preview.png", nil)
		if err != nil {
			t.Error(err)
		}
		asked <- a
	}()
	eventually(t, "blocks are decoded", func() bool { return s.metric(t, decodedBlocks) > 0 })
	if err := s.stop(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	a := <-asked
	if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" || !strings.Contains(string(a.body), "stopping") {
		t.Errorf("status %d, %v: %s", a.status, a.header, a.body)
	}
}

// noise computes samples that do not compress.
func noise(x, y, band int) float64 {
	n := uint32(x)*0x9E3779B1 ^ uint32(y)*0x85EBCA77 ^ uint32(band)*0xC2B2AE3D
	n = (n ^ n>>15) * 0x2C1B3C6D
	return float64((n ^ n>>12) & 0xFF)
}

func TestAConnectionThatIsClosedEndsItsRequest(t *testing.T) {
	const blocks = 32 * 32
	folder := t.TempDir()
	writeTIFF(t, folder, "huge.tif", tifftest.File{Images: []tifftest.Image{repeated(32, 32, 2048)}})
	s := start(t, "serve", folder, "--workers", "1")
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.maps, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(connection, "GET /layers/huge/preview.png HTTP/1.1\r\nHost: test\r\n\r\n")
	eventually(t, "blocks are decoded", func() bool { return s.metric(t, decodedBlocks) > 0 })
	connection.Close()
	eventually(t, "no picture is being rendered", func() bool { return s.metric(t, "tileserver_pictures_working") == 0 })
	eventually(t, "the log has the canceled request", func() bool { return strings.Contains(s.log.String(), "status=499") })
	decoded := s.metric(t, decodedBlocks)
	if decoded > blocks/2 {
		t.Errorf("%d of %d blocks were decoded", decoded, blocks)
	}
	t.Logf("%d of %d blocks were decoded", decoded, blocks)
}
