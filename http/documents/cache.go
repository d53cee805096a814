// Package documents caches texts about many layers, such as the capabilities of a service.
//
// Package http/serve composes and sends them. This package decides when: once for all clients, and
// in a slot of the gate that also admits rendering. It must never know what a text says.
package documents

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/layer"
)

// A Cache holds documents. It is safe for concurrent use.
type Cache struct {
	gate  *admission.Gate
	rate  *admission.Rate // of composing a document
	space *cache.Space[[sha256.Size]byte, Document]
}

// usualTime is what composing a document takes for few layers.
const usualTime = 10 * time.Millisecond

// NewCache returns a cache of documents in c; nil caches nothing. Composing a document takes a slot
// of the gate, since its duration grows with the number of layers.
func NewCache(c *cache.Cache, gate *admission.Gate) *Cache {
	return &Cache{gate: gate, rate: admission.NewRate(usualTime), space: cache.NewSpace[[sha256.Size]byte, Document](c, "documents")}
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
	d, err := c.space.FetchOne(admission.KeepDeadline(ctx), sha256.Sum256([]byte(key)), func(ctx context.Context) (d Document, err error) {
		err = c.gate.Run(ctx, admission.Work{Group: "documents", Cost: c.rate.Time(1)}, func(ctx context.Context) error {
			d, err = c.compose(ctx, compose)
			return err
		})
		return d, err
	})
	if err != nil {
		return Document{}, layer.Classify(err)
	}
	return d, nil
}

func (c *Cache) compose(ctx context.Context, compose func() ([]byte, error)) (Document, error) {
	began := time.Now()
	text, err := compose()
	if err != nil {
		return Document{}, err
	}
	took := time.Since(began)
	admission.Spend(ctx, took)
	c.rate.Measure(1, took)
	sum := sha256.Sum256(text)
	return Document{text, hex.EncodeToString(sum[:12])}, nil
}
