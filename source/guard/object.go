package guard

import (
	"context"

	"tileserver/source"
)

// object is a guarded object. Its siblings lie on the same storage.
type object struct {
	source.Object
	storage *storage
}

// ReadRanges reads ranges.
func (o *object) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	return o.storage.read(ctx, o.Object, ranges)
}

// Sibling opens an object in the same folder.
func (o *object) Sibling(ctx context.Context, name string) (source.Source, error) {
	opened, err := call(ctx, o.storage, asking, o.storage.config.Timeout, func(ctx context.Context) (source.Source, error) { return o.Object.Sibling(ctx, name) })
	if err != nil {
		return nil, err
	}
	return &sibling{opened, o.storage}, nil
}

// IsCurrent reports whether opening the object again would give the same version.
func (o *object) IsCurrent(ctx context.Context) (bool, error) {
	return call(ctx, o.storage, asking, o.storage.config.checkTime(), o.Object.IsCurrent)
}

// Settle waits until the next version of the object is complete.
func (o *object) Settle(ctx context.Context) error {
	_, err := call(ctx, o.storage, asking, o.storage.config.Timeout, func(ctx context.Context) (struct{}, error) { return struct{}{}, o.Object.Settle(ctx) })
	return err
}

// Identity identifies the content of the object.
func (o *object) Identity(ctx context.Context) (string, error) {
	return call(ctx, o.storage, reading, o.storage.config.Timeout, o.Object.Identity)
}

// sibling is a guarded sibling of an object.
type sibling struct {
	source.Source
	storage *storage
}

// ReadRanges reads ranges.
func (s *sibling) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	return s.storage.read(ctx, s.Source, ranges)
}
