package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Bytes is an object in memory, for example one embedded in the program.
type Bytes struct {
	name    string
	version string
	data    []byte
}

var _ Source = (*Bytes)(nil)

// NewBytes returns a Source of data. It does not copy data, which must not change afterwards.
func NewBytes(name string, data []byte) *Bytes {
	digest := sha256.Sum256(data)
	return &Bytes{name: name, version: hex.EncodeToString(digest[:16]), data: data}
}

// Name returns the name given to NewBytes.
func (b *Bytes) Name() string { return b.name }

// Version returns a digest of the content, so equal contents have equal versions.
func (b *Bytes) Version() string { return b.version }

// Size returns the length of the content.
func (b *Bytes) Size() int64 { return int64(len(b.data)) }

// ReadRanges returns slices of the content itself. It copies nothing, and so has no limit.
func (b *Bytes) ReadRanges(ctx context.Context, ranges []Range) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", b.name, err)
	}
	if err := CheckBounds(ranges, b.Size()); err != nil {
		return nil, fmt.Errorf("read %s: %w", b.name, err)
	}
	parts := make([][]byte, len(ranges))
	for i, r := range ranges {
		if r.Length == 0 {
			parts[i] = []byte{} // also if data is nil
			continue
		}
		parts[i] = b.data[r.Offset:r.End():r.End()]
	}
	return parts, nil
}

// Close does nothing.
func (b *Bytes) Close() error { return nil }
