package remote

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tileserver/source/web/webtest"
)

// scene is a server with a layer behind a proxy that fails on demand, and with two layers beside it.
type scene struct {
	proxy  *proxy
	origin *webtest.Server
	far    *server
	layer  []known // right answers of the layer
	others []known // of the other layers: on disk, and on another web server
}

// clients is how many ask at the same time.
const clients = 8

// pictures are right answers, of which all scenes have the files.
type pictures struct {
	disk          string // path of a file
	data          []byte
	layer, beside []known
}

// knownPictures returns what a server answers about a file on disk.
func knownPictures(t *testing.T) *pictures {
	t.Helper()
	return knownPicturesOf(t, noise)
}

func knownPicturesOf(t *testing.T, value func(x, y, band int) float64) *pictures {
	t.Helper()
	p := &pictures{disk: filepath.Join(t.TempDir(), "disk.tif"), data: blocky(t, value)}
	write(t, p.disk, p.data)
	server := serve(t, configuration(p.disk))
	p.layer = server.answers(t, server.walk(t, "disk"))
	p.beside = named(p.layer, "disk", "other")
	p.layer, p.beside = named(p.layer, "disk", "far"), slices.Concat(p.layer, p.beside)
	return p
}

// named returns the tiles among answers as those of a layer with the same pixels.
func named(all []known, from, to string) (tiles []known) {
	for _, k := range all {
		if strings.HasPrefix(k.address, "/tiles/") {
			tiles = append(tiles, known{strings.Replace(k.address, from, to, 1), k.answer})
		}
	}
	return tiles
}

// newScene starts a server whose layer is read anew for each answer, with keys of its own.
func newScene(t *testing.T, p *pictures, f fault, keys string) *scene {
	t.Helper()
	s := &scene{origin: webtest.New(t), layer: p.layer, others: p.beside}
	s.origin.Put("/far.tif", string(p.data))
	other := webtest.New(t)
	other.Put("/other.tif", string(p.data))
	s.proxy = newProxy(t, s.origin.URL)
	s.proxy.answerBy(f)
	s.far = serve(t, fmt.Sprintf("cache: 0\n%s\npaths: ['%s/far.tif', '%s/other.tif', '%s']\n", keys, s.proxy.URL, other.URL, p.disk))
	return s
}

// What fails now and then is asked for again. No answer is lost or wrong.
func TestFaultsThatARetrySaves(t *testing.T) {
	t.Parallel() // it waits for what is late
	tileserver(t)
	p := knownPictures(t)
	for name, f := range map[string]fault{
		"internal errors":   every(5, refuse(http.StatusInternalServerError, "InternalError")),
		"slow down":         every(5, refuse(http.StatusServiceUnavailable, "SlowDown")),
		"too many requests": every(5, refuse(http.StatusTooManyRequests, "")),
		"resets":            every(5, reset),
		"cut at the start":  every(5, cut(0)),
		"cut bodies":        every(3, cut(10_007)),
		"wrong ranges":      every(5, shift),
		"whole objects":     every(5, whole),
		"silence":           every(15, hang),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, p, f, "")
			s.far.compareBy(t, clients, s.layer)
		})
	}
}

// While a server fails, other layers are answered as ever, and nothing of what it sends is wrong. When it answers
// again, so does its layer.
func TestOutages(t *testing.T) {
	t.Parallel() // it waits for what is late
	tileserver(t)
	p := knownPictures(t)
	for name, f := range map[string]fault{
		"internal errors":   refuse(http.StatusInternalServerError, "InternalError"),
		"slow down":         refuse(http.StatusServiceUnavailable, "SlowDown"),
		"too many requests": refuse(http.StatusTooManyRequests, ""),
		"resets":            reset,
		"cut bodies":        cut(1000),
		"wrong ranges":      shift,
		"silence":           hang,
		"refusals":          refuse(http.StatusForbidden, "AccessDenied"),
		"nothing is there":  refuse(http.StatusNotFound, "NoSuchKey"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, p, nil, "storage_timeout: 3s\nremote: [{prefix: 'http://', recheck: 1s}]")
			s.far.compareBy(t, clients, s.layer[:5])
			s.proxy.askedSince()
			s.proxy.answerBy(f)
			var asking sync.WaitGroup
			asking.Go(func() { s.checkNoneWrong(t, 4*clients) })
			eventually(t, "the server is asked in vain", func() bool { return len(s.proxy.askedSince()) > 0 })
			s.far.compareBy(t, clients, s.others)
			asking.Wait()
			s.proxy.answerBy(nil)
			s.awaitRecovery(t)
		})
	}
}

// checkNoneWrong checks that what is answered at all is answered right, and that the fault is felt.
func (s *scene) checkNoneWrong(t *testing.T, clients int) {
	var failed atomic.Int64
	s.far.askAll(t, clients, s.layer, func(want known, got answer) {
		switch {
		case got.status != http.StatusOK:
			failed.Add(1)
		case got != want.answer:
			t.Errorf("%s has wrong pixels", want.address)
		}
	})
	if failed.Load() == 0 {
		t.Error("the fault is not felt")
	}
}

// awaitRecovery waits until the layer is answered again, and compares it.
func (s *scene) awaitRecovery(t *testing.T) {
	t.Helper()
	for _, want := range s.layer {
		eventually(t, want.address+" is answered again", func() bool { return s.far.ask(t, want.address).status == http.StatusOK })
	}
	s.far.compareBy(t, clients, s.layer)
}

// A server that refuses is asked again at once, since who may read can change at any time.
func TestARefusalIsNotKept(t *testing.T) {
	t.Parallel()
	s := newScene(t, knownPictures(t), nil, "")
	s.proxy.answerBy(refuse(http.StatusForbidden, "AccessDenied"))
	tile := s.layer[len(s.layer)-1]
	if got := s.far.ask(t, tile.address); got.status == http.StatusOK {
		t.Errorf("a tile that may not be read: %v", got)
	}
	s.proxy.answerBy(nil)
	if got := s.far.ask(t, tile.address); got != tile.answer {
		t.Errorf("a tile that may be read again: %v", got)
	}
}

// An object that goes and comes again is served whenever it is there.
func TestAnObjectThatWasMissingIsFound(t *testing.T) {
	t.Parallel()
	p := knownPictures(t)
	s := newScene(t, p, nil, "rescan: 1s\nremote: [{prefix: 'http://', recheck: 1s}]")
	s.far.compareBy(t, clients, s.layer)
	s.origin.Drop("/far.tif")
	tile := s.layer[len(s.layer)-1].address
	eventually(t, "an object that is gone is not served", func() bool { return s.far.ask(t, tile).status != http.StatusOK })
	s.origin.Put("/far.tif", string(p.data))
	s.awaitRecovery(t)
}

// A server that answers late is waited for, and delays no other layer's answers.
func TestAServerThatAnswersLate(t *testing.T) {
	t.Parallel()
	s := newScene(t, knownPictures(t), late(2*time.Second), "")
	var asking sync.WaitGroup
	asking.Go(func() { s.far.compareBy(t, clients, s.layer[:7]) })
	s.far.compareBy(t, clients, s.others)
	asking.Wait()
}

// A host without an address disturbs no other layer.
func TestAHostThatIsUnknown(t *testing.T) {
	t.Parallel()
	p := knownPictures(t)
	s := serve(t, configuration("http://nothing.invalid/a.tif", p.disk))
	if ids := s.ids(t); !slices.Equal(ids, []string{"disk"}) {
		t.Errorf("layers %q", ids)
	}
	s.compareBy(t, clients, slices.DeleteFunc(p.beside, func(k known) bool { return strings.Contains(k.address, "other") }))
}
