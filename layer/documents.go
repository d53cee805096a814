package layer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"tileserver/cache"
)

// A Document is a cached text about many layers, such as a capabilities document.
type Document struct {
	Bytes []byte
	ETag  string // identifies the bytes; quoted
}

// Size returns the memory of the document.
func (d Document) Size() int64 { return int64(cap(d.Bytes) + len(d.ETag)) }

// documents are cached under digests of their keys, since clients influence keys, which may be
// long.
type documents = cache.Space[[sha256.Size]byte, Document]

// Document returns the document of a key, composing it if it is not cached. Concurrent callers
// share the result. Composing takes a slot of the gate, since its duration grows with the number of
// layers. key must include everything that the document depends on.
func (c *Catalog) Document(ctx context.Context, key string, compose func() ([]byte, error)) (Document, error) {
	d, err := c.documents.FetchOne(ctx, sha256.Sum256([]byte(key)), func(ctx context.Context) (document Document, err error) {
		err = c.config.Gate.run(ctx, func() error {
			if document.Bytes, err = compose(); err != nil {
				return err
			}
			sum := sha256.Sum256(document.Bytes)
			document.ETag = `"` + hex.EncodeToString(sum[:12]) + `"`
			return nil
		})
		return document, err
	})
	if err != nil {
		return Document{}, classify(err)
	}
	return d, nil
}

// maxRefreshed bounds the files that one request checks.
const maxRefreshed = 1000

// Refresh checks whether the files of layers have changed, each at most once per checkInterval, and
// then returns ChangedAt. Callers that cache documents about all layers use it to notice changes.
// With more than maxRefreshed layers, successive calls check them in turn.
func (c *Catalog) Refresh() time.Time {
	list := c.snapshot.Load().layers
	count := min(len(list), maxRefreshed)
	end := c.refreshed.Add(uint64(count))
	for i := end - uint64(count); i < end; i++ {
		_, _ = list[i%uint64(len(list))].versions.current() // records a change if the file is gone
	}
	return c.ChangedAt()
}
