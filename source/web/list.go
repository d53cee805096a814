package web

import (
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tileserver/source"
	"tileserver/source/web/transport"
)

const (
	// maxListed bounds a list of a folder.
	maxListed = 1_000_000
	maxPages  = maxListed / 100

	// maxDocumentBytes bounds a document of a service, such as a page of a list.
	maxDocumentBytes = 8 << 20
)

// List returns what lies in a folder, page after page.
func (s *Store) List(ctx context.Context, folder string) ([]source.Entry, error) {
	folder = strings.TrimRight(s.Canonical(folder), "/")
	lister, ok := s.config.Service.(Lister)
	if !ok {
		return nil, fmt.Errorf("source: %s: web servers do not list folders; name the files", source.Redacted(folder))
	}
	in := &room{in: s.config.Memory}
	defer in.free()
	if err := in.reserve(ctx, besideListBytes); err != nil {
		return nil, named(folder, err)
	}
	entries, found, err := s.listPages(ctx, lister, folder, in)
	switch {
	case err != nil:
		return entries, err
	case len(entries) == 0:
		return nil, named(folder, fs.ErrNotExist)
	}
	s.lists.remember(folder, found, in)
	return entries, nil
}

// listPages returns what the pages of a list have, with the stamps of the objects.
func (s *Store) listPages(ctx context.Context, lister Lister, folder string, in *room) (entries []source.Entry, found *list, err error) {
	found = &list{stamps: stamps{seed: maphash.MakeSeed()}, asked: time.Now()}
	after := ""
	for range maxPages {
		if err := ctx.Err(); err != nil {
			return entries, nil, err
		}
		page, err := lister.List(ctx, folder, after, s.document)
		if err != nil {
			return entries, nil, named(folder, err)
		}
		source.Advance(ctx)
		if !in.grow(bytesOf(page)) {
			return entries, nil, named(folder, in.whyNoMore(bytesOf(page), len(entries)+len(page.Listed)))
		}
		entries = found.add(page, entries)
		switch {
		case len(entries) > maxListed:
			return entries[:maxListed], nil, fmt.Errorf("source: %s has more than %d objects", source.Redacted(folder), maxListed)
		case page.Next == "":
			found.stamps.finish()
			return entries, found, nil
		case page.Next == after:
			return entries, nil, fmt.Errorf("source: %s: the server sends the same page of the list again", source.Redacted(folder))
		}
		after = page.Next
	}
	return entries, nil, fmt.Errorf("source: %s: the list has more than %d pages", source.Redacted(folder), maxPages)
}

// add adds a page to the list, and to what the pages before it have.
func (l *list) add(page Page, entries []source.Entry) []source.Entry {
	for _, each := range page.Listed {
		entries = append(entries, each.Entry)
		if !each.IsFolder {
			l.stamps.add(each.Path, each.Stamp)
		}
	}
	return entries
}

// document gets a document of the service.
func (s *Store) document(ctx context.Context, u *url.URL) (body []byte, err error) {
	err = s.fetch(ctx, s.request(u, nil), func(answer *transport.Answer) (err error) {
		switch answer.Status {
		case http.StatusOK:
		case http.StatusNotFound, http.StatusGone:
			return fs.ErrNotExist
		default:
			return unexpected(answer)
		}
		body, err = io.ReadAll(io.LimitReader(answer.Body, maxDocumentBytes+1))
		if err == nil && len(body) > maxDocumentBytes {
			err = fmt.Errorf("the server sent a document of more than %d bytes", maxDocumentBytes)
		}
		return err
	})
	return body, err
}
