//go:build unix

package integration

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

// A server with few file descriptors, all of which idle connections take, closes some of these for
// the next client.
func TestAServerOutlastsALackOfFileDescriptors(t *testing.T) {
	folder := t.TempDir()
	writeTIFF(t, folder, "plain.tif", fileOf(plain()))
	s := startAs(t, []string{"sh", "-c", `ulimit -n 48; exec "$0" "$@"`, program(t)}, "serve", folder)
	address := strings.TrimPrefix(s.maps, "http://")
	for range 100 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	for range 10 {
		client.CloseIdleConnections()
		if a := ask(t, http.MethodGet, s.maps+"/layers/plain/preview.png", nil); a.status != http.StatusOK {
			t.Fatalf("status %d: %s", a.status, a.body)
		}
	}
	if s.metric(t, "tileserver_connections_closed_total") == 0 {
		t.Error("no connection was closed")
	}
	if lines := strings.Count(s.log.String(), "connections cannot be accepted now"); lines < 1 || lines > 2 {
		t.Errorf("the log has %d lines about it, want at most one for each port", lines)
	}
}
