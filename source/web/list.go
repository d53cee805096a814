package web

import (
	"context"
	"fmt"
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
	var entries []source.Entry
	found := &list{stamps: make(map[string]source.Stamp), asked: time.Now()}
	for after, pages := "", 0; ; pages++ {
		if err := ctx.Err(); err != nil {
			return entries, err
		}
		page, err := lister.List(ctx, folder, after, s.document)
		if err != nil {
			return entries, named(folder, err)
		}
		source.Advance(ctx)
		for _, each := range page.Listed {
			entries = append(entries, each.Entry)
			if !each.IsFolder {
				found.stamps[each.Path] = each.Stamp
			}
		}
		if len(entries) > maxListed {
			return entries[:maxListed], fmt.Errorf("source: %s has more than %d objects", source.Redacted(folder), maxListed)
		}
		if page.Next == "" {
			break
		}
		if page.Next == after || pages == maxPages {
			return entries, fmt.Errorf("source: %s: the list does not end", source.Redacted(folder))
		}
		after = page.Next
	}
	if len(entries) == 0 {
		return nil, named(folder, fs.ErrNotExist)
	}
	s.lists.remember(folder, found)
	return entries, nil
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
