package layer_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"tileserver/layer"
)

// visited returns the configuration of a layer whose opening waits until it may go on.
func visited(id string, opened chan<- context.Context, goOn <-chan error) layer.Config {
	config := gradientConfig(id, new(int))
	open := config.Open
	config.Open = func(ctx context.Context) (*layer.Dataset, error) {
		opened <- ctx
		select {
		case err := <-goOn:
			if err != nil {
				return nil, err
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		return open(ctx)
	}
	return config
}

func TestAVisitedLayerIsOpenedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := layer.NewCatalog(layer.CatalogConfig{})
		opened, goOn := make(chan context.Context, 9), make(chan error)
		config := visited("v", opened, goOn)
		var asking sync.WaitGroup
		for range 20 {
			asking.Go(func() {
				if l, err := c.Visit(t.Context(), config); err != nil || l.ID() != "v" {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		goOn <- nil
		asking.Wait()
		if _, err := c.Visit(t.Context(), config); err != nil || len(opened) != 1 {
			t.Errorf("opened %d times, %v", len(opened), err)
		}
		if _, err := c.Layer("v"); codeOf(err) != layer.NotFound || len(c.Layers()) != 0 {
			t.Errorf("a visited layer is listed: %v", err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestAnOpeningThatFailsIsTriedAgain(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	opened, goOn := make(chan context.Context, 9), make(chan error, 2)
	config, broken := visited("v", opened, goOn), errors.New("broken")
	goOn <- broken
	goOn <- nil
	if _, err := c.Visit(t.Context(), config); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if _, err := c.Visit(t.Context(), config); err != nil {
		t.Error(err)
	}
}

func TestAnOpeningEndsWhenAllHaveLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := layer.NewCatalog(layer.CatalogConfig{})
		opened, goOn := make(chan context.Context, 9), make(chan error)
		config := visited("v", opened, goOn)
		var leaving [2]context.CancelFunc
		for i := range leaving {
			ctx, cancel := context.WithCancel(t.Context())
			leaving[i] = cancel
			go c.Visit(ctx, config)
		}
		synctest.Wait()
		opening := <-opened
		leaving[0]()
		synctest.Wait()
		if opening.Err() != nil {
			t.Error("it ended when the first had left")
		}
		leaving[1]()
		synctest.Wait()
		if opening.Err() == nil {
			t.Error("it goes on for nobody")
		}
		go func() { goOn <- nil }()
		if _, err := c.Visit(t.Context(), config); err != nil {
			t.Errorf("the next one: %v", err)
		}
	})
}

func TestVisitedLayersAreBounded(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	opened := make(map[string]int)
	visit := func(id string) {
		t.Helper()
		times := 0
		if _, err := c.Visit(t.Context(), gradientConfig(id, &times)); err != nil {
			t.Fatal(err)
		}
		opened[id] += times
	}
	for i := range 300 {
		visit(fmt.Sprint("v", i))
		visit("v0") // is asked for all the time
	}
	visit("v1")
	visit("v299")
	if opened["v0"] != 1 || opened["v1"] != 2 || opened["v299"] != 1 {
		t.Errorf("opened %d, %d and %d times", opened["v0"], opened["v1"], opened["v299"])
	}
}

func TestAPanicOfAVisitIsAnError(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{})
	config := layer.Config{ID: "v", Open: func(context.Context) (*layer.Dataset, error) { panic("broken") }}
	if _, err := c.Visit(t.Context(), config); err == nil || layer.Classify(err).Code != layer.Internal {
		t.Errorf("got %v", err)
	}
}

func TestVisitedLayersAreOpenedAsTheyAreConfiguredNow(t *testing.T) {
	o := newOffering(t, "offered")
	o.find(t, "offered")
	visit := func(title string) {
		t.Helper()
		config := gradientConfig("v", new(int))
		config.Title = title
		if l, err := o.Visit(t.Context(), config); err != nil || l.Title() != title {
			t.Errorf("%v, want %q", err, title)
		}
	}
	visit("before")
	o.CloseVisited()
	visit("after")
	o.find(t, "offered")
	if o.opened["offered"] != 1 {
		t.Errorf("an offered layer was opened %d times", o.opened["offered"])
	}
}

// A layer that was being opened while its configuration changed is not kept as it was configured before.
func TestAnOpeningThatIsOutdatedIsNotKept(t *testing.T) {
	offerOf := func(written string, config layer.Config) layer.Offers {
		return layer.Offers{Layers: []layer.Offered{{ID: "v"}}, ConfigOf: func(string) layer.Config { return config }, Written: written}
	}
	before, after := "before", gradientConfig("v", new(int))
	after.Title = "after"
	for name, test := range map[string]struct {
		ask    func(c *layer.Catalog, ctx context.Context, config layer.Config) (*layer.Layer, error)
		change func(c *layer.Catalog) error
		offers bool
	}{
		"visited": {(*layer.Catalog).Visit, func(c *layer.Catalog) error { c.CloseVisited(); return nil }, false},
		"offered": {
			func(c *layer.Catalog, ctx context.Context, _ layer.Config) (*layer.Layer, error) {
				return c.Find(ctx, "v")
			},
			func(c *layer.Catalog) error { return c.Offer(offerOf("after", after)) }, true,
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := layer.NewCatalog(layer.CatalogConfig{})
			opened, goOn := make(chan context.Context, 9), make(chan error)
			first := visited("v", opened, goOn)
			first.Title = before
			if test.offers {
				if err := c.Offer(offerOf(before, first)); err != nil {
					t.Fatal(err)
				}
			}
			go func() {
				if l, err := test.ask(c, t.Context(), first); err != nil || l.Title() != before {
					t.Errorf("%s: who asked before: %v", name, err)
				}
			}()
			<-opened
			if err := test.change(c); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if l, err := test.ask(c, t.Context(), after); err != nil || l.Title() != "after" {
					t.Errorf("%s: who asks after: %v", name, err)
				}
				select {
				case goOn <- nil:
					synctest.Wait()
				default:
				}
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTheVisitedLayerThatNobodyAskedForTheLongestIsClosed(t *testing.T) {
	c := layer.NewCatalog(layer.CatalogConfig{MaxVisited: 2})
	opens := make(map[string]*int)
	for _, id := range []string{"a", "b", "a", "c", "a", "b"} {
		if opens[id] == nil {
			opens[id] = new(int)
		}
		config := gradientConfig(id, new(int))
		open := config.Open
		config.Open = func(ctx context.Context) (*layer.Dataset, error) { *opens[id]++; return open(ctx) }
		if _, err := c.Visit(t.Context(), config); err != nil {
			t.Fatal(err)
		}
	}
	if *opens["a"] != 1 || *opens["b"] != 2 || *opens["c"] != 1 {
		t.Errorf("a was opened %d times, b %d times and c %d times, want b again", *opens["a"], *opens["b"], *opens["c"])
	}
}
