package layer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"tileserver/cache"
)

// Document is a text about many layers as it is kept.
type Document struct {
	Bytes []byte
	ETag  string // names the bytes, as HTTP writes it
}

// Size is for the cache.
func (d Document) Size() int64 { return int64(cap(d.Bytes) + len(d.ETag)) }

// documents are kept by digests of their keys: clients have a say in those, which may be long.
type documents = cache.Space[[sha256.Size]byte, Document]

// Document returns a document: a kept one, or one that is made once for all who ask for it, in
// a place of the gate, for the more layers there are the longer it takes. All that it depends
// on is in the key.
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

// maxLooked bounds how many files one request has looked at.
const maxRefreshed = 1000

// Refresh has layers look whether their datasets are current, each as seldom as requests for it do,
// and returns ChangedAt after that. Without it, what is kept of all layers would hide that a file
// has changed. Of more than maxLooked layers, each call looks at the next ones in turn.
func (c *Catalog) Refresh() time.Time {
	list := c.snapshot.Load().layers
	count := min(len(list), maxRefreshed)
	end := c.refreshed.Add(uint64(count))
	for i := end - uint64(count); i < end; i++ {
		_, _ = list[i%uint64(len(list))].versions.current() // a layer that is gone is noted as a change
	}
	return c.ChangedAt()
}
