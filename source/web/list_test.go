package web_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"tileserver/source"
	"tileserver/source/web"
	"tileserver/source/web/transport"
	"tileserver/source/web/webtest"
)

// wide is a service with a folder of many objects.
type wide struct {
	bucket
	objects int
}

func (w *wide) List(_ context.Context, _, after string, _ web.Get) (page web.Page, err error) {
	begin, _ := strconv.Atoi(after)
	end := min(begin+1000, w.objects)
	for i := begin; i < end; i++ {
		name := fmt.Sprintf("scene%07d.tif", i)
		page.Listed = append(page.Listed, web.Listed{Entry: source.Entry{Name: name, Path: "test://bucket/" + name}, Stamp: w.stamp(i)})
	}
	if end < w.objects {
		page.Next = strconv.Itoa(end)
	}
	return page, nil
}

func (*wide) stamp(i int) source.Stamp {
	return source.Stamp{Size: int64(i), Modified: int64(i) * 1e9, Tag: fmt.Sprintf("\"%032x\"", i*77)}
}

// What is listed is not asked for, and takes a bounded memory: at most 64 bytes an object.
func TestListsOfManyObjectsTakeABoundedMemory(t *testing.T) {
	const objects = 50_000
	memory, service := web.NewMemory(64*objects), &wide{bucket{server: webtest.New(t)}, objects}
	store := web.NewStore(web.Config{Service: service, Client: transport.New(transport.Config{}), IsTrusted: true, Recheck: time.Hour, Memory: memory})
	entries, err := store.List(t.Context(), "test://bucket")
	if err != nil || len(entries) != objects || memory.Bytes() > 64*objects {
		t.Fatalf("%d entries take %d bytes: %v", len(entries), memory.Bytes(), err)
	}
	t.Logf("%.1f bytes an object", float64(memory.Bytes())/objects)
	for i := 0; i < objects; i += 997 {
		if state, err := store.Stat(t.Context(), entries[i].Path); err != nil || state.Stamp != service.stamp(i) {
			t.Errorf("%s is %+v, %v", entries[i].Path, state, err)
		}
	}
	if asked := service.server.Asked(); len(asked) != 0 {
		t.Errorf("asked %v", asked)
	}
	service.objects *= 2
	if _, err := store.List(t.Context(), "test://bucket"); err == nil || !strings.Contains(err.Error(), "remote_memory") {
		t.Errorf("twice as many: %v", err)
	}
}

// endless is a service whose lists do not end.
type endless struct {
	bucket
	pages int
	next  func(page int) string
}

func (e *endless) List(context.Context, string, string, web.Get) (web.Page, error) {
	e.pages++
	return web.Page{
		Listed: []web.Listed{{Entry: source.Entry{Name: "a.tif", Path: "test://bucket/a.tif"}}},
		Next:   e.next(e.pages),
	}, nil
}

func TestListsEnd(t *testing.T) {
	for name, test := range map[string]struct {
		next  func(page int) string
		pages int // at most
		why   string
	}{
		"the same page":   {func(int) string { return "again" }, 2, "same page"},
		"ever more pages": {func(page int) string { return fmt.Sprint(page) }, 10_000, "pages"},
	} {
		service := &endless{bucket: bucket{server: webtest.New(t)}, next: test.next}
		store := web.NewStore(web.Config{Service: service, Client: transport.New(transport.Config{}), IsTrusted: true})
		if _, err := store.List(t.Context(), "test://bucket"); err == nil || !strings.Contains(err.Error(), test.why) || service.pages > test.pages {
			t.Errorf("%s: %v after %d pages", name, err, service.pages)
		}
	}
	service := &endless{bucket: bucket{server: webtest.New(t)}, next: func(page int) string { return fmt.Sprint(page) }}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	store := web.NewStore(web.Config{Service: service, Client: transport.New(transport.Config{}), IsTrusted: true})
	if _, err := store.List(ctx, "test://bucket"); err == nil || service.pages > 0 {
		t.Errorf("of a caller that left: %v after %d pages", err, service.pages)
	}
}
