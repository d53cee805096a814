package web

import (
	"context"
	"net/url"

	"tileserver/source"
	"tileserver/source/web/transport"
)

// Service is a kind of storage on the web: how a path becomes a URL, and how requests are signed.
// What lists folders is a Lister, too. Its methods are safe for concurrent use.
type Service interface {
	// Canonical returns a path that is equal for all spellings of a path.
	Canonical(path string) string

	// Locate returns the URL of an object, without a signature.
	Locate(path string) (*url.URL, error)

	transport.Signer
}

// Refusal is what a Signer learns of.
type Refusal = transport.Refusal

// Lister is a Service that lists folders.
type Lister interface {
	Service

	// List returns a page of what lies in a folder, without what lies in its folders. The first page
	// comes after "", each other after the Next of the page before. A folder without anything is an
	// empty page.
	List(ctx context.Context, folder, after string, get Get) (Page, error)
}

// Get gets a document of at most a few MiB, signed, with the retries of all requests. A status that is not
// 200 is an error; 404 is fs.ErrNotExist.
type Get func(ctx context.Context, u *url.URL) (body []byte, err error)

// Page is a part of a list.
type Page struct {
	Listed []Listed
	Next   string // after which the next page comes; "" after the last one
}

// Listed is an object or a folder in a list. A folder has no stamp.
type Listed struct {
	source.Entry
	source.Stamp
}
