package web_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tileserver/source"
	"tileserver/source/web"
	"tileserver/source/web/transport"
	"tileserver/source/web/webtest"
)

// data returns n bytes that differ between seeds.
func data(seed uint64, n int) string {
	text := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(seed)}).Read(text)
	return string(text)
}

// large is more than the beginning that is read when an object is opened.
const large = 3_000_017

const path = "test://bucket/folder/a.tif"

// serving returns a server with an object at path, and a store of it.
func serving(t *testing.T, content string, change func(*web.Config)) (*webtest.Server, *web.Store) {
	t.Helper()
	server := webtest.New(t)
	server.Put("/bucket/folder/a.tif", content)
	return server, newStore(t, server, func(c *web.Config) {
		c.Recheck, c.HasSideFiles = time.Minute, false
		if change != nil {
			change(c)
		}
	})
}

func open(t *testing.T, s *web.Store) source.Object {
	t.Helper()
	o, err := s.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

// check reads ranges and compares them with what the object contains.
func check(t *testing.T, o source.Source, content string, ranges ...source.Range) {
	t.Helper()
	parts, err := o.ReadRanges(t.Context(), ranges)
	if err != nil {
		t.Error(err)
		return
	}
	for i, r := range ranges {
		if string(parts[i]) != content[r.Offset:r.End()] {
			t.Errorf("range %v has other bytes", r)
		}
	}
}

func TestToOpenAnObjectIsOneRequest(t *testing.T) {
	content := data(1, large)
	server, store := serving(t, content, nil)
	state, err := store.Stat(t.Context(), path)
	if err != nil || state.Size != large {
		t.Fatalf("%+v, %v", state, err)
	}
	o := open(t, store)
	check(t, o, content, source.Range{Length: 100}, source.Range{Offset: 100_000, Length: 28_000})
	for _, name := range []string{"a.tif.aux.xml", "a.tif.ovr", "a.tfw"} {
		if _, err := o.Sibling(t.Context(), name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if is, err := o.IsCurrent(t.Context()); !is || err != nil {
		t.Errorf("current %t, %v", is, err)
	}
	if asked := server.Asked(); len(asked) != 1 || asked[0].Range != "bytes=0-131071" {
		t.Errorf("asked %v", asked)
	}
}

func TestAListTellsStatesAndSiblings(t *testing.T) {
	server, store := serving(t, data(1, 100), nil)
	server.Put("/bucket/folder/a.tif.aux.xml", "<PAMDataset/>")
	if _, err := store.List(t.Context(), "test://bucket/folder/"); err != nil {
		t.Fatal(err)
	}
	if state, err := store.Stat(t.Context(), path); err != nil || state.Size != 100 {
		t.Errorf("%+v, %v", state, err)
	}
	if asked := server.Asked(); len(asked) != 0 {
		t.Errorf("asked %v", asked)
	}
	o := open(t, store)
	if _, err := o.Sibling(t.Context(), "a.tif.ovr"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	sibling, err := o.Sibling(t.Context(), "a.tif.aux.xml")
	if err != nil {
		t.Fatal(err)
	}
	check(t, sibling, "<PAMDataset/>", source.Range{Length: 13})
	if asked := server.Asked(); len(asked) != 2 {
		t.Errorf("asked %v", asked)
	}
}

func TestVersionsNeverMix(t *testing.T) {
	for name, behavior := range map[string]webtest.Behavior{
		"a server that compares":            {},
		"a server that ignores conditions":  {Ignores: true},
		"weak tags":                         {WeakTags: true},
		"weak tags that stay the same":      {SameTag: true},
		"weak tags that stay, ignored":      {SameTag: true, Ignores: true},
		"no tags":                           {NoTags: true},
		"no tags, and conditions ignored":   {NoTags: true, Ignores: true},
		"no dates":                          {NoDates: true},
		"no dates, and conditions ignored":  {NoDates: true, Ignores: true},
		"weak tags, and conditions ignored": {WeakTags: true, Ignores: true},
	} {
		t.Run(name, func(t *testing.T) {
			server, store := serving(t, data(1, large), nil)
			server.Behave(behavior)
			o := open(t, store)
			check(t, o, data(1, large), source.Range{Offset: 2_000_000, Length: 1000})
			server.Put("/bucket/folder/a.tif", data(2, large))
			parts, err := o.ReadRanges(t.Context(), []source.Range{{Offset: 1_000_000, Length: 1000}})
			if !errors.Is(err, source.ErrChanged) || parts != nil {
				t.Errorf("got %d parts, %v", len(parts), err)
			}
			if is, err := o.IsCurrent(t.Context()); is || err != nil {
				t.Errorf("current %t, %v", is, err)
			}
			next := open(t, store)
			if next.Version() == o.Version() {
				t.Errorf("both versions are %s", next.Version())
			}
			check(t, next, data(2, large), source.Range{Length: 10}, source.Range{Offset: 1_000_000, Length: 1000})
		})
	}
}

func TestBodiesThatAreCutGoOn(t *testing.T) {
	content := data(1, large)
	server, store := serving(t, content, nil)
	o := open(t, store)
	server.Asked()
	cut := func(w http.ResponseWriter, r *http.Request) {
		var first, last int
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last)
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, large))
		w.Header().Set("Content-Length", fmt.Sprint(last-first+1))
		w.WriteHeader(http.StatusPartialContent)
		w.Write([]byte(content[first : first+10_000]))
	}
	server.Script(cut, cut, nil)
	check(t, o, content, source.Range{Offset: 500_000, Length: 50_000})
	asked := server.Asked()
	got := make([]string, len(asked))
	for i, a := range asked {
		got[i] = a.Range
		if a.Header.Get("If-Match") != `"1"` || a.Header.Get("Accept-Encoding") != "identity" {
			t.Errorf("headers %v", a.Header)
		}
	}
	if want := []string{"bytes=500000-549999", "bytes=510000-549999", "bytes=520000-549999"}; !slices.Equal(got, want) {
		t.Errorf("asked for %v, want %v", got, want)
	}
}

func TestAnswersThatLieAreNotTaken(t *testing.T) {
	content := data(1, large)
	answers := func(part string, length int, tag string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", tag)
			w.Header().Set("Content-Range", part)
			w.WriteHeader(http.StatusPartialContent)
			w.Write([]byte(content[500_000:][:length]))
		}
	}
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		want   error // of the read; nil if it succeeds with the next answer
	}{
		"another part":            {answers("bytes 0-999/3000017", 1000, `"1"`), nil},
		"a shorter part":          {answers("bytes 500000-500499/3000017", 500, `"1"`), nil},
		"no part":                 {answers("", 1000, `"1"`), nil},
		"too few bytes":           {answers("bytes 500000-500999/3000017", 10, `"1"`), nil},
		"another size":            {answers("bytes 500000-500999/3000018", 1000, `"1"`), source.ErrChanged},
		"another tag":             {answers("bytes 500000-500999/3000017", 1000, `"2"`), source.ErrChanged},
		"nothing there":           {http.NotFound, source.ErrChanged},
		"not modified, not asked": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }, errAny},
	} {
		t.Run(name, func(t *testing.T) {
			server, store := serving(t, content, nil)
			o := open(t, store)
			server.Script(test.answer)
			r := source.Range{Offset: 500_000, Length: 1000}
			if test.want == nil {
				check(t, o, content, r)
				return
			}
			if parts, err := o.ReadRanges(t.Context(), []source.Range{r}); err == nil || parts != nil || test.want != errAny && !errors.Is(err, test.want) {
				t.Errorf("got %d parts, %v", len(parts), err)
			}
		})
	}
}

// errAny stands for any error.
var errAny = errors.New("any")

func TestServersWithoutRanges(t *testing.T) {
	for name, test := range map[string]struct {
		size int
		want error
	}{"a small object is read whole": {300_007, nil}, "an empty one": {0, nil}, "a large one is refused": {17 << 20, web.ErrNoRanges}} {
		t.Run(name, func(t *testing.T) {
			content := data(1, test.size)
			server, store := serving(t, content, nil)
			server.Behave(webtest.Behavior{NoRanges: true})
			o, err := store.Open(t.Context(), path)
			if !errors.Is(err, test.want) || err != nil && !strings.Contains(err.Error(), "remote_memory") {
				t.Fatal(err)
			}
			if err == nil {
				check(t, o, content, source.Range{Length: int64(test.size)}, source.Range{Offset: int64(test.size / 2), Length: int64(test.size / 3)})
			}
			if asked := server.Asked(); len(asked) != 1 {
				t.Errorf("asked %v", asked)
			}
		})
	}
}

// A server that stops answering ranges sends the object once more, and then nothing of it.
func TestAServerThatStopsAnsweringRanges(t *testing.T) {
	content := data(1, large)
	server, store := serving(t, content, nil)
	o := open(t, store)
	server.Asked()
	server.Behave(webtest.Behavior{NoRanges: true})
	for i := range int64(4) {
		check(t, o, content, source.Range{Offset: 500_000 + i*300_000, Length: 1000})
	}
	if asked := server.Asked(); len(asked) != 2 { // the read that notices it, and the one that keeps all
		t.Errorf("asked %v", asked)
	}
	server.Put("/bucket/folder/a.tif", data(2, large))
	check(t, o, content, source.Range{Offset: 600_000, Length: 1000}) // of the version that it kept
}

// A server that answers a range with the whole object once, as caches before servers do, answers ranges later: once the
// whole object is forgotten, they are asked for.
func TestAServerThatAnswersRangesAgain(t *testing.T) {
	content := data(1, large)
	server, store := serving(t, content, func(c *web.Config) { c.Memory = web.NewMemory(4*large + 4<<10) })
	o := open(t, store)
	server.Behave(webtest.Behavior{NoRanges: true})
	check(t, o, content, source.Range{Offset: 500_000, Length: 1000})
	for _, other := range []string{"b.tif", "c.tif", "d.tif", "e.tif"} {
		server.Put("/bucket/folder/"+other, content)
		if _, err := store.Open(t.Context(), "test://bucket/folder/"+other); err != nil {
			t.Fatal(err)
		}
	}
	server.Behave(webtest.Behavior{})
	server.Asked()
	for i := range int64(4) {
		check(t, o, content, source.Range{Offset: 800_000 + i*300_000, Length: 1000})
	}
	if asked := server.Asked(); len(asked) != 5 { // the beginning, and each range
		t.Errorf("asked %v", asked)
	}
	server.Put("/bucket/folder/a.tif", data(2, large))
	if _, err := o.ReadRanges(t.Context(), []source.Range{{Offset: 600_000, Length: 1000}}); !errors.Is(err, source.ErrChanged) {
		t.Error(err)
	}
}

// A server that answers some ranges only sends what is needed of the whole object for the others.
func TestAServerThatAnswersSomeRanges(t *testing.T) {
	content := data(1, large)
	server, store := serving(t, content, nil)
	o := open(t, store)
	whole := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"1"`)
		io.WriteString(w, content)
	}
	server.Script(whole, nil, whole)
	check(t, o, content, source.Range{Offset: 500_000, Length: 1000})
	if asked := server.Asked(); len(asked) != 4 { // to open it, twice for the range, and for the beginning between
		t.Errorf("asked %v", asked)
	}
}

// holding lets the requests of a server wait until the returned function is called.
func holding(server *webtest.Server) (release func()) {
	held := make(chan struct{})
	server.Hold(held)
	return sync.OnceFunc(func() { close(held) })
}

func TestEachByteIsAskedForOnce(t *testing.T) {
	content := data(1, large)
	server, store := serving(t, content, nil)
	o := open(t, store)
	server.Asked()
	release := holding(server)
	var reading sync.WaitGroup
	for range 40 {
		reading.Go(func() { check(t, o, content, source.Range{Offset: 700_000, Length: 5000}) })
	}
	server.AwaitHeld(1)
	for range 40 {
		reading.Go(func() { check(t, o, content, source.Range{Offset: 701_000, Length: 500}) })
	}
	for web.Callers(o) < 80 {
		runtime.Gosched()
	}
	release()
	reading.Wait()
	if asked := server.Asked(); len(asked) != 1 || asked[0].Range != "bytes=700000-704999" {
		t.Errorf("asked for %v", asked)
	}
}

func TestRangesThatWaitForATurnArePlannedTogether(t *testing.T) {
	content := data(1, large)
	server, store := serving(t, content, func(c *web.Config) { c.Client = transport.New(transport.Config{MaxParallel: 1}) })
	o := open(t, store)
	server.Asked()
	release := holding(server)
	var reading sync.WaitGroup
	reading.Go(func() { check(t, o, content, source.Range{Offset: 200_000, Length: 100}) })
	server.AwaitHeld(1)
	for i := range int64(40) {
		reading.Go(func() { check(t, o, content, source.Range{Offset: 1_000_000 + i*20_000, Length: 15_000}) })
	}
	for web.Waiting(o) < 40 {
		runtime.Gosched()
	}
	release()
	reading.Wait()
	if asked := server.Asked(); len(asked) > 3 {
		t.Errorf("%d requests for 41 reads: %v", len(asked), asked)
	}
}

func TestWhatNobodyWaitsForIsNotRead(t *testing.T) {
	content := data(1, large)
	server, store := serving(t, content, func(c *web.Config) { c.Client = transport.New(transport.Config{MaxParallel: 1}) })
	o := open(t, store)
	server.Asked()
	release := holding(server)
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	var reading sync.WaitGroup
	for i := range int64(100) {
		reading.Go(func() {
			if _, err := o.ReadRanges(ctx, []source.Range{{Offset: 200_000 + i*20_000, Length: 100}}); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	server.AwaitHeld(1)
	cancel()
	reading.Wait()
	server.AwaitLeft(1)
	release()
	check(t, o, content, source.Range{Offset: 2_900_000, Length: 100})
	if asked := server.Asked(); len(asked) > 3 {
		t.Errorf("%d requests of callers that left", len(asked))
	}
}

func TestRandomReadsWithFaults(t *testing.T) {
	content := data(1, large)
	server, store := serving(t, content, nil)
	o := open(t, store)
	server.FailEvery(7)
	var reading sync.WaitGroup
	for caller := range uint64(8) {
		reading.Go(func() {
			random := rand.New(rand.NewPCG(caller, 9))
			for range 10 {
				ranges := make([]source.Range, 1+random.IntN(20))
				for i := range ranges {
					offset := random.Int64N(large)
					ranges[i] = source.Range{Offset: offset, Length: min(large-offset, random.Int64N(20_000))}
				}
				parts, err := o.ReadRanges(t.Context(), ranges)
				if err != nil {
					t.Error(err)
					return
				}
				for i, r := range ranges {
					if string(parts[i]) != content[r.Offset:r.End()] {
						t.Errorf("range %v has other bytes", r)
					}
				}
			}
		})
	}
	reading.Wait()
}

func TestSignaturesAreNotTold(t *testing.T) {
	server := webtest.New(t)
	server.Put("/a.tif", data(1, large))
	store := web.NewStore(web.Config{Service: web.Plain{}, Client: transport.New(transport.Config{}), IsTrusted: true})
	address := server.URL + "/a.tif?sig=secret"
	o, err := store.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	identity, err := o.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	server.Drop("/a.tif")
	_, readErr := o.ReadRanges(t.Context(), []source.Range{{Offset: 200_000, Length: 10}})
	_, openErr := store.Open(t.Context(), server.URL+"/none.tif?sig=secret")
	server.Close()
	_, awayErr := store.Stat(t.Context(), address)
	for _, text := range []string{o.Name(), o.Version(), identity, fmt.Sprint(readErr), fmt.Sprint(openErr), fmt.Sprint(awayErr), store.Storage(address)} {
		if strings.Contains(text, "secret") {
			t.Errorf("it tells: %s", text)
		}
	}
	if !errors.Is(awayErr, source.ErrStalled) {
		t.Errorf("a server that is gone: %v", awayErr)
	}
}

func TestWeakVersionsHaveNoIdentity(t *testing.T) {
	for name, test := range map[string]struct {
		behavior webtest.Behavior
		has      bool
	}{
		"a tag": {webtest.Behavior{}, true}, "a date of an hour ago": {webtest.Behavior{NoTags: true}, true},
		"a weak tag, and no date": {webtest.Behavior{WeakTags: true, NoDates: true}, false}, "nothing": {webtest.Behavior{NoTags: true, NoDates: true}, false},
	} {
		server, store := serving(t, data(1, 100), nil)
		server.Behave(test.behavior)
		if id, err := open(t, store).Identity(t.Context()); (id != "") != test.has || err != nil {
			t.Errorf("%s: %q, %v", name, id, err)
		}
	}
}

// A read that waits for its answer holds up no other.
func TestReadsDoNotWaitForOthers(t *testing.T) {
	content := data(1, large)
	server, store := serving(t, content, nil)
	o := open(t, store)
	release := holding(server)
	var reading sync.WaitGroup
	for i := range int64(20) {
		reading.Go(func() { check(t, o, content, source.Range{Offset: 200_000 + i*130_000, Length: 100}) })
		server.AwaitHeld(1)
	}
	release()
	reading.Wait()
}

// Who leaves takes nothing from those that wait for the same, and what nobody waits for ends.
func TestAFlightEndsWithItsLastCaller(t *testing.T) {
	content := data(1, large)
	server, store := serving(t, content, nil)
	o := open(t, store)
	release := holding(server)
	defer release()
	r := source.Range{Offset: 500_000, Length: 100}
	var leave [2]context.CancelFunc
	for i := range leave {
		ctx, cancel := context.WithCancel(t.Context())
		leave[i] = cancel
		go o.ReadRanges(ctx, []source.Range{r})
	}
	server.AwaitHeld(1)
	for web.Callers(o) < 2 {
		runtime.Gosched()
	}
	leave[0]()
	for web.Callers(o) > 1 {
		runtime.Gosched()
	}
	leave[1]()
	server.AwaitLeft(1)
}

func TestADateThatGoesBackIsAChange(t *testing.T) {
	server, store := serving(t, data(1, large), func(c *web.Config) { c.Recheck = 0 })
	server.Behave(webtest.Behavior{NoTags: true})
	o := open(t, store)
	server.PutOld("/bucket/folder/a.tif", data(2, large-1))
	if is, err := o.IsCurrent(t.Context()); is || err != nil {
		t.Errorf("current %t, %v", is, err)
	}
}

func TestAListTellsThatASideFileHasChanged(t *testing.T) {
	server, store := serving(t, data(1, 100), func(c *web.Config) { c.Recheck = time.Nanosecond })
	const side = "/bucket/folder/a.tif.aux.xml"
	list := func() {
		if _, err := store.List(t.Context(), "test://bucket/folder"); err != nil {
			t.Fatal(err)
		}
	}
	server.Put(side, "<a/>")
	list()
	o := open(t, store)
	if _, err := o.Sibling(t.Context(), "a.tif.aux.xml"); err != nil {
		t.Fatal(err)
	}
	if is, err := o.IsCurrent(t.Context()); !is || err != nil {
		t.Errorf("before the change: current %t, %v", is, err)
	}
	server.Put(side, "<b/>")
	list()
	if is, err := o.IsCurrent(t.Context()); is || err != nil {
		t.Errorf("after the change: current %t, %v", is, err)
	}
}

// Who may not list a bucket is refused what it does not have.
func TestARefusedSideFileIsNone(t *testing.T) {
	server, store := serving(t, data(1, 100), func(c *web.Config) { c.HasSideFiles = true })
	o := open(t, store)
	server.Asked()
	server.Script(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	if _, err := o.Sibling(t.Context(), "a.tif.ovr"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if asked := server.Asked(); len(asked) != 1 {
		t.Errorf("asked %v", asked)
	}
}

func TestACutObjectIsNotTakenForAWholeOne(t *testing.T) {
	server, store := serving(t, data(1, large), nil)
	server.Script(func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		fmt.Fprint(connection, "HTTP/1.1 200 OK\r\nConnection: close\r\nETag: \"1\"\r\n\r\n", data(1, 1000))
	})
	if _, err := store.Open(t.Context(), path); !errors.Is(err, web.ErrNoRanges) {
		t.Errorf("got %v", err)
	}
}

// Objects without a version are read at once, or not at all.
func TestObjectsWithoutAVersion(t *testing.T) {
	for size, isOpened := range map[int]bool{1000: true, 1_000_000: true, 17 << 20: false} {
		content := data(1, size)
		server, store := serving(t, content, nil)
		server.Behave(webtest.Behavior{NoTags: true, NoDates: true})
		o, err := store.Open(t.Context(), path)
		if (err == nil) != isOpened {
			t.Errorf("%d bytes: %v", size, err)
		}
		if err == nil {
			check(t, o, content, source.Range{Length: int64(size)})
		}
	}
}

func TestThousandsOfRangesAreRead(t *testing.T) {
	content := data(1, large)
	_, store := serving(t, content, nil)
	o := open(t, store)
	var ranges []source.Range
	for at := int64(200_000); at < large-100; at += 700 {
		ranges = append(ranges, source.Range{Offset: at, Length: 90})
	}
	check(t, o, content, ranges...)
}
