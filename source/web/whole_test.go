package web_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"tileserver/source"
	"tileserver/source/web"
	"tileserver/source/web/transport"
	"tileserver/source/web/webtest"
)

// A whole object is read once, however many ask for parts of it that are not in memory any more.
func TestAWholeObjectIsReadOnceHoweverManyAsk(t *testing.T) {
	content := data(1, large)
	for name, forgets := range map[string]bool{"a server that has no ranges": true, "a server that stops answering ranges": false} {
		t.Run(name, func(t *testing.T) {
			server, store := serving(t, content, func(c *web.Config) { c.Memory = web.NewMemory(4*large + 4<<10) })
			server.Behave(webtest.Behavior{NoRanges: forgets})
			o := open(t, store)
			server.Behave(webtest.Behavior{NoRanges: true})
			if forgets {
				openOthers(t, server, store, 4)
			} else {
				check(t, o, content, source.Range{Offset: 300_000, Length: 10}) // notices it, and reads the object
			}
			server.Asked()
			release := holding(server)
			var reading sync.WaitGroup
			for i := range int64(40) {
				reading.Go(func() { check(t, o, content, source.Range{Offset: 500_000 + i*50_000, Length: 1000}) })
			}
			want := 0
			if forgets {
				want = 1
				server.AwaitHeld(1)
			}
			release()
			reading.Wait()
			if asked := server.Asked(); len(asked) != want {
				t.Errorf("asked %v", asked)
			}
		})
	}
}

// openOthers opens other objects, so that what was not used is forgotten.
func openOthers(t *testing.T, server *webtest.Server, store *web.Store, n int) {
	t.Helper()
	for i := range n {
		name := fmt.Sprintf("other%d.tif", i)
		server.Put("/bucket/folder/"+name, data(uint64(i), large))
		if _, err := store.Open(t.Context(), "test://bucket/folder/"+name); err != nil {
			t.Fatal(err)
		}
	}
}

// Stores that share a memory read many whole objects at a time, and never keep and read more than it has.
func TestWholeObjectsOfSeveralStoresShareAMemory(t *testing.T) {
	const objects, bytes = 24, 1 << 20
	memory := web.NewMemory(4*bytes + 1<<10)
	var opening sync.WaitGroup
	for i := range objects {
		content := data(uint64(i), bytes-512)
		server, store := serving(t, content, func(c *web.Config) { c.Memory = memory })
		server.Behave(webtest.Behavior{NoRanges: true})
		opening.Go(func() {
			o, err := store.Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			for at := range int64(8) {
				check(t, o, content, source.Range{Offset: at * 100_000, Length: 50_000})
				if in := memory.Bytes(); in > 4*bytes+1<<10 {
					t.Errorf("%d bytes are in memory", in)
				}
			}
		})
	}
	opening.Wait()
}

// However many objects of a server that does not answer are opened, those of another one find memory.
func TestThoseThatWaitForAServerHoldNoMemory(t *testing.T) {
	memory := web.NewMemory(16 * source.HeadBytes)
	share := func(c *web.Config) {
		c.Memory, c.Client = memory, transport.New(transport.Config{MaxParallel: 4})
	}
	slow, slowStore := serving(t, data(1, large), share)
	defer holding(slow)()
	_, store := serving(t, data(2, large), share)
	ctx, leave := context.WithCancel(t.Context())
	var opening sync.WaitGroup
	defer opening.Wait()
	defer leave()
	var begun sync.WaitGroup
	for i := range 64 {
		begun.Add(1)
		opening.Go(func() {
			begun.Done()
			slowStore.Open(ctx, fmt.Sprintf("test://bucket/folder/%d.tif", i))
		})
	}
	begun.Wait()
	slow.AwaitHeld(4)
	for range 100 {
		runtime.Gosched()
	}
	open(t, store)
	if in := memory.Bytes(); in > 6*source.HeadBytes {
		t.Errorf("%d bytes are in memory", in)
	}
}
