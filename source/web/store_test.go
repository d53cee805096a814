package web_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"tileserver/source"
	"tileserver/source/sourcetest"
	"tileserver/source/web"
	"tileserver/source/web/transport"
	"tileserver/source/web/webtest"
)

// bucket is a service whose paths are test://bucket/key, on a server that lists by ?list=prefix.
type bucket struct {
	web.Plain
	server *webtest.Server
}

var _ web.Lister = bucket{}

func (b bucket) Canonical(path string) string { return path }

func (b bucket) Locate(path string) (*url.URL, error) {
	return url.Parse(b.server.URL + strings.TrimPrefix(path, "test:/"))
}

// perPage is the number of objects in a page of a list.
const perPage = 2

func (b bucket) List(_ context.Context, folder, after string, _ web.Get) (page web.Page, err error) {
	prefix := strings.TrimPrefix(strings.TrimRight(folder, "/"), "test:/") + "/"
	seen := make(map[string]bool)
	for _, path := range b.server.Paths(prefix) {
		name, _, isFolder := strings.Cut(strings.TrimPrefix(path, prefix), "/")
		if seen[name] || path <= after {
			continue
		}
		if len(page.Listed) == perPage {
			page.Next = prefix + page.Listed[perPage-1].Name + "\xff"
			return page, nil
		}
		seen[name] = true
		listed := web.Listed{Entry: source.Entry{Name: name, Path: source.Join(folder, name), IsFolder: isFolder}}
		if !isFolder {
			size, tag, modified := b.server.Stamp(path)
			listed.Stamp = source.Stamp{Size: size, Tag: tag, Modified: modified.UnixNano()}
		}
		page.Listed = append(page.Listed, listed)
	}
	return page, nil
}

func newStore(t *testing.T, server *webtest.Server, change func(*web.Config)) *web.Store {
	t.Helper()
	c := web.Config{Service: bucket{server: server}, Client: transport.New(transport.Config{}), IsTrusted: true, HasSideFiles: true}
	if change != nil {
		change(&c)
	}
	return web.NewStore(c)
}

func TestStoreKeepsTheContract(t *testing.T) {
	sourcetest.RunStore(t, func(t *testing.T) sourcetest.Fixture {
		server := webtest.New(t)
		key := func(path string) string { return strings.TrimPrefix(path, "test:/") }
		return sourcetest.Fixture{
			Store: newStore(t, server, nil),
			Join:  func(names ...string) string { return "test://bucket/" + strings.Join(names, "/") },
			Put:   func(path, data string) { server.Put(key(path), data) },
			Drop:  func(path string) { server.Drop(key(path)) },
		}
	})
}
