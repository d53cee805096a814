package web_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tileserver/source"
	"tileserver/source/web"
	"tileserver/source/web/transport"
	"tileserver/source/web/webtest"
)

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
