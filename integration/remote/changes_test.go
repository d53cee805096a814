package remote

import (
	"net/http"
	"sync"
	"testing"

	"tileserver/source/web/webtest"
)

// replacedFile is a file of which a server has one of two versions.
type replacedFile struct {
	origin   *webtest.Server
	versions [2][]byte
	every    int // requests from one change to the next

	mu    sync.Mutex // guards the fields below
	count int
	now   int // version
}

// replace is a fault that replaces the file before some of the requests.
func (f *replacedFile) replace(w http.ResponseWriter, r *http.Request, next http.Handler) {
	f.mu.Lock()
	if f.count++; f.count%f.every == 0 {
		f.now = 1 - f.now
		f.origin.Put("/far.tif", string(f.versions[f.now]))
	}
	f.mu.Unlock()
	next.ServeHTTP(w, r)
}

// While an object is replaced between the ranges that are read of it, each answer shows one version. When
// that ends, all answers show the last one.
func TestAnObjectIsReplacedBetweenTwoRanges(t *testing.T) {
	t.Parallel()
	tileserver(t)
	inverted := func(x, y, band int) float64 { return 255 - noise(x, y, band) }
	pictures := [2]*pictures{knownPicturesOf(t, noise), knownPicturesOf(t, inverted)}
	for name, behavior := range map[string]webtest.Behavior{
		"with tags":                       {},
		"with tags that nobody compares":  {Ignores: true},
		"with times only":                 {NoTags: true},
		"with times that nobody compares": {NoTags: true, Ignores: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, pictures[0], nil, "remote: [{prefix: 'http://', recheck: 1h}]")
			s.origin.Behave(behavior)
			file := &replacedFile{origin: s.origin, versions: [2][]byte{pictures[0].data, pictures[1].data}, every: 19}
			s.proxy.answerBy(file.replace)
			shown := s.checkNoMixture(t, pictures[1].layer)
			t.Logf("%d answers showed the first version, %d the second, %d none", shown[0], shown[1], shown[2])
			if shown[0]+shown[1] == 0 || file.count < 2*file.every {
				t.Errorf("%d requests were too few to see changes", file.count)
			}
			s.proxy.answerBy(nil)
			s.layer = pictures[file.now].layer
			s.awaitVersion(t)
		})
	}
}

// checkNoMixture asks for all tiles some times, and counts the answers that show each version, or none.
func (s *scene) checkNoMixture(t *testing.T, second []known) (shown [3]int) {
	t.Helper()
	other := make(map[string]answer)
	for _, k := range second {
		other[k.address] = k.answer
	}
	var mu sync.Mutex // guards shown
	for range 4 {
		s.far.askAll(t, clients, s.layer, func(want known, got answer) {
			mu.Lock()
			defer mu.Unlock()
			switch {
			case got == want.answer:
				shown[0]++
			case got == other[want.address]:
				shown[1]++
			case got.status == http.StatusServiceUnavailable:
				shown[2]++
			case got.status == http.StatusOK:
				t.Errorf("%s shows a mixture of two versions", want.address)
			default:
				t.Errorf("%s, whose file changes: %v", want.address, got)
			}
		})
	}
	return shown
}

// awaitVersion waits until the layer shows its last version, and compares all of it.
func (s *scene) awaitVersion(t *testing.T) {
	t.Helper()
	last := s.layer[len(s.layer)-1]
	eventually(t, "the last version is shown", func() bool { return s.far.ask(t, last.address) == last.answer })
	s.far.compareBy(t, clients, s.layer)
}
