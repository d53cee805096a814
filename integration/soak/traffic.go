package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// traffic asks a server for everything.
type traffic struct {
	server *server
	world  *world
	client *http.Client
	kinds  []*kind
	shares int      // of all kinds together
	real   []string // layers of real files that can be shown

	perSecond atomic.Int64 // requests
	made      atomic.Int64 // pictures, since the rate was adjusted
	underWay  atomic.Int64
	unsent    atomic.Int64 // requests for which there was no place

	mu        sync.Mutex
	etags     map[string]string
	span      tally // since the last sample
	witnesses map[*kind]*reservoir
	odd       []answer // with statuses that their kinds should not have
	problems  []string
	more      int // problems beyond those
}

const (
	mostUnderWay = 1500 // requests without an answer
	mostOdd      = 1000 // answers with odd statuses that are remembered
	leastRate    = 20   // requests in a second
)

func newTraffic(s *server, w *world) (*traffic, error) {
	t := &traffic{
		server: s, world: w, kinds: kinds(), etags: make(map[string]string), span: newTally(), witnesses: make(map[*kind]*reservoir),
		client: &http.Client{
			Transport: &http.Transport{MaxIdleConnsPerHost: mostUnderWay, DisableCompression: true},
			Timeout:   5 * time.Minute,
		},
	}
	t.perSecond.Store(leastRate)
	for _, k := range t.kinds {
		t.shares += k.share
		t.witnesses[k] = &reservoir{size: k.sampled}
	}
	return t, t.findReal()
}

// findReal looks which layers of real files can be shown. Others are damaged in a way that shows.
func (t *traffic) findReal() error {
	if len(t.world.real) == 0 {
		return nil
	}
	const most = 200
	text, err := fetch(context.Background(), t.server.maps+"/layers?limit=100000")
	if err != nil {
		return err
	}
	var list struct{ Layers []struct{ ID string } }
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return err
	}
	rand.Shuffle(len(list.Layers), func(i, j int) { list.Layers[i], list.Layers[j] = list.Layers[j], list.Layers[i] })
	for _, l := range list.Layers {
		if len(t.real) < most && !t.world.isOwn(l.ID) && t.isShown(l.ID) {
			t.real = append(t.real, l.ID)
		}
	}
	return nil
}

func (t *traffic) isShown(layer string) bool {
	for _, file := range []string{"preview.png", "preview.npy"} {
		response, err := t.client.Get(t.server.maps + "/layers/" + layer + "/" + file)
		if err != nil {
			return false
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return false
		}
	}
	return true
}

// complain notes what should not be.
func (t *traffic) complain(format string, args ...any) {
	const most = 40
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.problems) >= most {
		t.more++
		return
	}
	t.problems = append(t.problems, fmt.Sprintf(format, args...))
	fmt.Println("PROBLEM", t.problems[len(t.problems)-1])
}

// send sends requests whether they are answered or not, and lets rude clients ask beside them. It
// returns when all are answered.
func (t *traffic) send(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for i := range rudeClients {
		all.Go(func() {
			for ctx.Err() == nil {
				t.rude(ctx, manners[i%len(manners)])
			}
		})
	}
	const adjustEvery = 10 * time.Second
	last, adjusted, owed := time.Now(), time.Now(), 0.0
	for wait(ctx, 10*time.Millisecond) {
		now := time.Now()
		if past := now.Sub(adjusted); past > adjustEvery {
			t.adjust(past)
			adjusted = now
		}
		for owed += t.rate() * now.Sub(last).Seconds(); owed >= 1; owed-- {
			t.start(&all)
		}
		last = now
	}
}

// rate returns how many requests are sent in a second.
func (t *traffic) rate() float64 { return float64(t.perSecond.Load()) }

// warm sends requests for a time.
func (t *traffic) warm(ctx context.Context, lasting time.Duration) {
	ctx, stop := context.WithTimeout(ctx, lasting)
	defer stop()
	t.send(ctx)
}

// adjust makes the rate twice of what the server can answer. It counts the pictures of kinds that must
// be made, since hits and mistakes cost nearly nothing.
func (t *traffic) adjust(past time.Duration) {
	share := 0
	for _, k := range t.kinds {
		if k.isMade {
			share += k.share
		}
	}
	wanted := 2 * float64(t.made.Swap(0)) / past.Seconds() * float64(t.shares) / float64(share)
	t.perSecond.Store(int64(min(max(wanted, t.rate()/2, leastRate), 2*t.rate())))
}

// start sends a request, if there is a place for it.
func (t *traffic) start(all *sync.WaitGroup) {
	if t.underWay.Load() >= mostUnderWay {
		t.unsent.Add(1)
		return
	}
	t.underWay.Add(1)
	all.Go(func() {
		defer t.underWay.Add(-1)
		t.ask(t.draw())
	})
}

// draw chooses a kind by its share.
func (t *traffic) draw() *kind {
	n := rand.N(t.shares)
	for _, k := range t.kinds {
		if n -= k.share; n < 0 {
			return k
		}
	}
	panic("a number beyond all shares")
}

// answer is what came for a request.
type answer struct {
	kind   *kind
	path   string
	during span
	status int
	isHit  bool
	sum    [sha256.Size]byte
	text   string // the beginning of the body
}

// ask sends a request of a kind, and notes the answer.
func (t *traffic) ask(k *kind) {
	a := answer{kind: k, path: k.path(t)}
	request, err := http.NewRequest(http.MethodGet, t.server.maps+a.path, nil)
	if err != nil {
		t.complain("%s: %v", a.path, err)
		return
	}
	if k.name == unchanged {
		request.Header.Set("If-None-Match", t.etagOf(a.path))
	}
	if k.name == "documents" && rand.N(2) == 0 {
		request.Host = fmt.Sprintf("host%d.example", rand.N(100000))
	}
	a.during.from = time.Now()
	response, err := t.client.Do(request)
	if err != nil {
		t.complain("%s: %v", a.path, err)
		return
	}
	err = a.read(response)
	a.during.to = time.Now()
	if err != nil {
		t.complain("%s: status %d: %v", a.path, a.status, err)
		return
	}
	t.note(a, response.Header.Get("ETag"))
}

func (a answer) String() string {
	return fmt.Sprintf("%s at %s: %s: status %d: %.200q", a.kind.name, a.during.from.Format("15:04:05.000"), a.path, a.status, a.text)
}

// read reads the answer to its end.
func (a *answer) read(response *http.Response) error {
	defer response.Body.Close()
	a.status, a.isHit = response.StatusCode, response.Header.Get("X-Cache") == "HIT"
	sum, text := sha256.New(), beginning{}
	if _, err := io.Copy(io.MultiWriter(sum, &text), response.Body); err != nil {
		return err
	}
	a.text = string(text)
	sum.Sum(a.sum[:0])
	return nil
}

// beginning keeps the first bytes that are written.
type beginning []byte

func (b *beginning) Write(data []byte) (int, error) {
	const most = 200
	*b = append(*b, data[:min(len(data), most-len(*b))]...)
	return len(data), nil
}

func (t *traffic) etagOf(path string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.etags[path]
}

// note counts an answer, judges its status, and may remember it for the comparison.
func (t *traffic) note(a answer, etag string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !a.kind.isRight(a.status) && len(t.odd) < mostOdd {
		t.odd = append(t.odd, a)
		fmt.Println("ODD", a)
	}
	if a.kind.name == hot && a.status == http.StatusOK {
		t.etags[a.path] = etag
	}
	t.span.add(a)
	if a.kind.isMade && a.status == http.StatusOK {
		t.made.Add(1)
	}
	if a.status == http.StatusOK {
		t.witnesses[a.kind].offer(a)
	}
}

// takeSpan returns what was counted since the last call.
func (t *traffic) takeSpan() tally {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := t.span
	t.span = newTally()
	return taken
}

// manner is how a rude client reads.
type manner struct {
	pause time.Duration // after each piece
	most  int64         // bytes after which it hangs up; 0 is none
}

var manners = []manner{{pause: time.Minute}, {pause: 100 * time.Millisecond}, {most: 20 << 10}}

const (
	rudeClients = 24
	pieceBytes  = 8 << 10
)

// rude sends a request and reads the answer badly, until ctx ends or the server hangs up.
func (t *traffic) rude(ctx context.Context, by manner) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(t.server.maps, "http://"))
	if err != nil {
		wait(ctx, 100*time.Millisecond)
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	conn.(*net.TCPConn).SetReadBuffer(pieceBytes)
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: soak.example\r\n\r\n", oneOf(t.hotTile, t.largeView)())
	for read := int64(0); by.most == 0 || read < by.most; {
		n, err := io.CopyN(io.Discard, conn, pieceBytes)
		if read += n; err != nil || !wait(ctx, by.pause) {
			return
		}
	}
}

// judgeOdd complains about statuses that no change of a file explains.
func (t *traffic) judgeOdd() {
	for _, a := range t.odd {
		if !t.world.isExcused(a) {
			t.complain("%v", a)
		}
	}
}

// complainAboutLog complains about lines of the log that no attack explains.
func (t *traffic) complainAboutLog(s *server) {
	for _, line := range s.anomalies {
		t.complain("log: %s", line)
	}
}

// isOwn reports whether a layer is one of the world's own files.
func (w *world) isOwn(layer string) bool {
	return slices.ContainsFunc(w.changed, func(c *changing) bool { return c.id == layer }) ||
		stableFiles[layer+".tif"] != nil || stableFiles[layer+".j2k"] != nil || strings.HasPrefix(layer, "coming")
}
