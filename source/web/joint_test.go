package web_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"tileserver/source/web"
)

// However many want to know whether an object is current, the server is asked once.
func TestWhetherAnObjectIsCurrentIsAskedOnce(t *testing.T) {
	server, store := serving(t, data(1, large), func(c *web.Config) { c.Recheck = time.Nanosecond })
	o := open(t, store)
	server.Asked()
	release := holding(server)
	var asking sync.WaitGroup
	ctx, leave := context.WithCancel(t.Context())
	asking.Go(func() {
		if _, err := o.IsCurrent(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("the one that left: %v", err)
		}
	})
	server.AwaitHeld(1)
	for range 40 {
		asking.Go(func() {
			if is, err := o.IsCurrent(t.Context()); !is || err != nil {
				t.Errorf("current %t, %v", is, err)
			}
		})
	}
	for web.Checking(o) < 40 {
		runtime.Gosched()
	}
	leave() // then one of the others asks
	server.AwaitHeld(1)
	for web.Checking(o) < 39 {
		runtime.Gosched()
	}
	release()
	asking.Wait()
	if asked := server.Asked(); len(asked) != 2 {
		t.Errorf("%d requests", len(asked))
	}
}
