package guard

import (
	"context"

	"tileserver/source"
)

// object is a guarded object. Its siblings lie on the same storage.
type object struct {
	source.Object
	at place
}

// ReadRanges reads ranges.
func (o *object) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	return o.at.read(ctx, o.Object, ranges)
}

// Sibling opens an object in the same folder.
func (o *object) Sibling(ctx context.Context, name string) (source.Source, error) {
	at := o.at
	at.path = source.Join(source.Folder(at.path), name)
	opened, err := call(ctx, at, asking, func(ctx context.Context) (source.Source, error) { return o.Object.Sibling(ctx, name) })
	if err != nil {
		return nil, err
	}
	return &sibling{opened, at}, nil
}

// IsCurrent reports whether opening the object again would give the same version.
func (o *object) IsCurrent(ctx context.Context) (bool, error) {
	return call(ctx, o.at.within(o.at.storage.config.checkTime()), asking, o.Object.IsCurrent)
}

// Settle waits until the next version of the object is complete.
func (o *object) Settle(ctx context.Context) error {
	_, err := call(ctx, o.at, asking, func(ctx context.Context) (struct{}, error) { return struct{}{}, o.Object.Settle(ctx) })
	return err
}

// Identity identifies the content of the object.
func (o *object) Identity(ctx context.Context) (string, error) {
	return call(ctx, o.at, reading, o.Object.Identity)
}

// sibling is a guarded sibling of an object.
type sibling struct {
	source.Source
	at place
}

// ReadRanges reads ranges.
func (s *sibling) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	return s.at.read(ctx, s.Source, ranges)
}
