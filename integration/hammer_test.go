package integration

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// hammer requests pictures of a changing layer all the time, and checks each.
type hammer struct {
	t                *testing.T
	addresses        []string
	answered, failed atomic.Int64
	stopped          atomic.Bool
	all              sync.WaitGroup

	mu       sync.Mutex
	colors   map[string]color.NRGBA // of the pictures that were checked
	mixtures []mixture
	excused  []span // times in which mixtures are allowed
}

type span struct{ from, to time.Time }

func (s span) overlaps(o span) bool { return !s.to.Before(o.from) && !o.to.Before(s.from) }

// mixture is an answer that matches no version of the file.
type mixture struct {
	span
	text string
}

// startHammer asks for pictures of layer a.
func startHammer(t *testing.T, s *server) *hammer {
	return startHammerOf(t, s.maps+"/layers/a/preview.png", s.maps+"/tiles/a/image/1/0/0@2x.png?resampling=nearest")
}

func startHammerOf(t *testing.T, addresses ...string) *hammer {
	h := &hammer{t: t, colors: make(map[string]color.NRGBA), addresses: addresses}
	for i := range 4 {
		h.all.Go(func() {
			for !h.stopped.Load() {
				h.ask(h.addresses[i%len(h.addresses)])
				time.Sleep(10 * time.Millisecond) // a change takes hundreds of requests
			}
		})
	}
	t.Cleanup(h.stop)
	return h
}

func (h *hammer) stop() {
	h.stopped.Store(true)
	h.all.Wait()
}

func (h *hammer) ask(address string) {
	began := time.Now()
	switch c, status, err := h.look(address); {
	case status == 0:
		h.t.Errorf("%s: %v", address, err)
		h.stopped.Store(true)
	case status != http.StatusOK:
		h.failed.Add(1)
	case err != nil || c != red && c != blue:
		h.mu.Lock()
		defer h.mu.Unlock()
		h.mixtures = append(h.mixtures, mixture{span{began, time.Now()}, fmt.Sprintf("%s is %v (%v)", address, c, err)})
	default:
		h.answered.Add(1)
	}
}

// look returns the color of an answer. It returns an error if no answer came, if the status is an
// error, or if the picture mixes two versions.
func (h *hammer) look(address string) (c color.NRGBA, status int, err error) {
	a, err := tryAsk(h.t, http.MethodGet, address, nil)
	if err != nil || a.status != http.StatusOK {
		return c, a.status, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	c, isKnown := h.colors[string(a.body)]
	if !isKnown {
		if c, err = colorOfWhole(a.body); err == nil {
			h.colors[string(a.body)] = c
		}
	}
	return c, a.status, err
}

// colorOfWhole returns the color of an encoded picture of a uniform file.
func colorOfWhole(body []byte) (color.NRGBA, error) {
	picture, _, err := image.Decode(bytes.NewReader(body))
	if err != nil {
		return color.NRGBA{}, err
	}
	return colorOf(cropped(picture, 300, 200))
}

// watch changes a red file several times, and fails if a mixture is shown. A change with too long a
// pause is not judged; watch makes another one instead.
func (h *hammer) watch(change func(next color.NRGBA) (isJudged bool)) {
	h.t.Helper()
	const changes, most = 3, 30
	shown := red
	for judged, made := 0, 0; judged < changes; made++ {
		if made == most {
			h.t.Fatalf("of %d changes, only %d had no long pauses", made, judged)
		}
		before := h.answered.Load()
		eventually(h.t, "pictures are shown between two versions", func() bool { return h.answered.Load() > before+2 || h.t.Failed() })
		if shown == red {
			shown = blue
		} else {
			shown = red
		}
		began := time.Now()
		isJudged := change(shown)
		eventually(h.t, "the new version is shown", func() bool {
			c, status, err := h.look(h.addresses[0])
			return err == nil && status == http.StatusOK && c == shown
		})
		if isJudged {
			judged++
		} else {
			h.excused = append(h.excused, span{began, time.Now()})
		}
	}
	h.finish(shown)
}

// finish checks all answers, and that the server shows the last version at the end.
func (h *hammer) finish(shown color.NRGBA) {
	h.t.Helper()
	h.stop()
	for _, address := range h.addresses {
		if c, status, err := h.look(address); c != shown || err != nil {
			h.t.Errorf("%s: at the end, the color is %v (status %d, %v), want %v", address, c, status, err, shown)
		}
	}
	isWrong := func(m mixture) bool { return !slices.ContainsFunc(h.excused, m.overlaps) }
	if first := slices.IndexFunc(h.mixtures, isWrong); first >= 0 {
		h.t.Errorf("of %d mixtures the first is: %s", len(h.mixtures), h.mixtures[first].text)
	}
	h.t.Logf("%d pictures, %d errors, %d changes that were not judged", h.answered.Load(), h.failed.Load(), len(h.excused))
}
