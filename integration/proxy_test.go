package integration

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// The examples in configs/ use this server name, and publish the maps below this path.
const (
	publicName = "maps.example.org"
	publicPath = "/imagery"
	publicRoot = "http://" + publicName + publicPath
)

// front is a proxy with two replicas behind it, as a client sees it.
type front struct {
	replicas []*server
	root     string       // the public address of the maps
	client   *http.Client // resolves the public name to the proxy
}

// behind starts two replicas with the layers colors, heights and plain. The caller starts the
// proxy.
func behind(t *testing.T, options ...string) *front {
	t.Helper()
	folder := t.TempDir()
	writeTIFF(t, folder, "colors.tif", withOverviews(colors(), 1))
	writeTIFF(t, folder, "heights.tif", tifftest.File{Images: []tifftest.Image{heights()}})
	writeTIFF(t, folder, "plain.tif", tifftest.File{Images: []tifftest.Image{plain()}})
	f := &front{root: publicRoot}
	for range 2 {
		args := append([]string{"serve", "--state", "", folder}, options...)
		f.replicas = append(f.replicas, start(t, args...))
	}
	return f
}

// freeAddress returns an address that another program can listen on. Its port lies outside the
// system's ephemeral range. A port from that range could be assigned to a connection before the
// program starts.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 100 {
		listener, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 10_000+rand.IntN(20_000)))
		if err == nil {
			listener.Close()
			return listener.Addr().String()
		}
	}
	t.Fatal("there is no free port")
	return ""
}

// listen returns a free address for the proxy. Clients connect to it from now on.
func (f *front) listen(t *testing.T) string {
	t.Helper()
	address := freeAddress(t)
	f.client = &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DisableCompression: true,
			DialContext: func(ctx context.Context, network, asked string) (net.Conn, error) {
				if asked == publicName+":80" {
					asked = address
				}
				return new(net.Dialer).DialContext(ctx, network, asked)
			},
		},
	}
	t.Cleanup(f.client.CloseIdleConnections)
	return address
}

// replicaAddress returns the host and port of a replica.
func (f *front) replicaAddress(i int) string {
	return strings.TrimPrefix(f.replicas[i].maps, "http://")
}

// isUp returns a function that reports whether the proxy forwards to a replica.
func (f *front) isUp(t *testing.T) func() bool {
	return func() bool {
		a, err := askWith(f.client, t, http.MethodGet, f.root+"/favicon.svg", nil)
		return err == nil && a.status == http.StatusOK
	}
}

// ask sends the proxy a request for a path below the public root.
func (f *front) ask(t *testing.T, method, path string, header http.Header) answer {
	t.Helper()
	a, err := askWith(f.client, t, method, f.root+path, header)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (f *front) get(t *testing.T, path string) answer {
	t.Helper()
	a := f.ask(t, http.MethodGet, path, nil)
	if a.status != http.StatusOK {
		t.Fatalf("%s: status %d: %s", path, a.status, a.body)
	}
	return a
}

// tileRequests counts the tile requests that the replicas have completed.
func (f *front) tileRequests() (count int) {
	for _, replica := range f.replicas {
		count += strings.Count(replica.log.String(), "route=/tiles/")
	}
	return count
}

// servedBy returns the index of the replica that rendered an answer, even if a cache sent it.
func (f *front) servedBy(t *testing.T, a answer) (served int) {
	t.Helper()
	line := "request=" + a.header.Get("X-Request-Id") + " "
	eventually(t, "a replica tells of "+line, func() bool {
		for i, replica := range f.replicas {
			if strings.Contains(replica.log.String(), line) {
				served = i
				return true
			}
		}
		return false
	})
	return served
}

// example returns a file of configs/ with some texts replaced, such as addresses and folders. Each
// text must occur exactly as often as its replacement says.
func example(t *testing.T, name string, replacements ...replacement) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "configs", name))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, r := range replacements {
		if got := strings.Count(text, r.old); got != r.times {
			t.Fatalf("%s has %q %d times, want %d", name, r.old, got, r.times)
		}
		text = strings.ReplaceAll(text, r.old, r.new)
	}
	return writeFile(t, t.TempDir(), name, []byte(text))
}

type replacement struct {
	old   string
	times int
	new   string
}

// Each example has a test of its own. This test fails if a new example has none.
func TestEveryExampleIsTested(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("..", "configs"))
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]string{
		"Caddyfile": "TestCaddy…", "default.vcl": "TestVarnish…", "nginx.conf": "TestNginx…", "compose.yaml": "TestCompose…", "compose-nginx.conf": "TestCompose…",
		"container.yaml": "TestTheImage", "tileserver.service": "TestTheService…",
		"dev.yaml": "of cmd/tileserver", "production.yaml": "TestTheServiceStarts…", "all-keys.yaml": "TestTheExampleOf…",
	}
	for _, entry := range entries {
		if tested[entry.Name()] == "" {
			t.Errorf("no test covers configs/%s", entry.Name())
		}
		delete(tested, entry.Name())
	}
	if len(tested) > 0 {
		t.Errorf("configs/ lacks the tested files %v", tested)
	}
}

// testServesThePathOnly checks that a proxy forwards requests below the path, and no others.
// redirect is the status with which it adds the slash to the path.
func testServesThePathOnly(t *testing.T, f *front, redirect int) {
	t.Helper()
	if a := f.ask(t, http.MethodGet, "", nil); a.status != redirect || a.header.Get("Location") != publicPath+"/" {
		t.Errorf("the path without its slash: status %d to %q", a.status, a.header.Get("Location"))
	}
	if a := f.ask(t, http.MethodGet, "/metrics", nil); a.status != http.StatusNotFound {
		t.Errorf("metrics: status %d; clients must not see them", a.status)
	}
	a, err := askWith(f.client, t, http.MethodGet, "http://"+publicName+"/layers", nil)
	if err != nil || a.status != http.StatusNotFound {
		t.Errorf("outside of the path: status %d, %v", a.status, err)
	}
}
