// Package documents caches texts about many layers, such as the capabilities of a service.
//
// Package http/serve composes and sends them. This package decides when: once for all clients, and
// in a slot of the gate that also admits rendering. It must never know what a text says.
package documents

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"tileserver/cache"
	"tileserver/layer"
)

// A Cache holds documents. It is safe for concurrent use.
type Cache struct {
	gate  *layer.Gate
	space *cache.Space[[sha256.Size]byte, Document]
}

// NewCache returns a cache of documents in c; nil caches nothing. Composing a document takes a slot
// of the gate, since its duration grows with the number of layers.
func NewCache(c *cache.Cache, gate *layer.Gate) *Cache {
	return &Cache{gate: gate, space: cache.NewSpace[[sha256.Size]byte, Document](c, "documents")}
}

// A Document is a cached text.
type Document struct {
	Bytes []byte
	Key   string // a digest of Bytes
}

// Size returns the memory of the document.
func (d Document) Size() int64 { return int64(cap(d.Bytes) + len(d.Key)) }

// Fetch returns the document of a key, composing it if it is not cached. Concurrent callers share
// the result. The key must include everything that the document depends on. The cache keeps only a
// digest of it, since clients influence keys, which may be long.
func (c *Cache) Fetch(ctx context.Context, key string, compose func() ([]byte, error)) (Document, error) {
	d, err := c.space.FetchOne(ctx, sha256.Sum256([]byte(key)), func(ctx context.Context) (Document, error) {
		leave, err := c.gate.Enter(ctx)
		if err != nil {
			return Document{}, err
		}
		defer leave()
		text, err := compose()
		if err != nil {
			return Document{}, err
		}
		sum := sha256.Sum256(text)
		return Document{text, hex.EncodeToString(sum[:12])}, nil
	})
	if err != nil {
		return Document{}, layer.Classify(err)
	}
	return d, nil
}
