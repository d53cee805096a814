package disktier

import (
	"context"

	"tileserver/source"
)

// tiered is a store whose objects are read through a Tier.
type tiered struct {
	source.Store
	tier *Tier
}

// Open opens the current version of an object.
func (s *tiered) Open(ctx context.Context, path string) (source.Object, error) {
	opened, err := s.Store.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return &object{opened, newReader(s.tier, opened, opened.Identity)}, nil
}

// object is an object that is read through a Tier.
type object struct {
	source.Object
	reader *reader
}

// ReadRanges reads ranges from the disk and the object.
func (o *object) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	return o.reader.readRanges(ctx, ranges)
}

// Sibling opens an object in the same folder. Of one that has no Identity of its own nothing is kept.
func (o *object) Sibling(ctx context.Context, name string) (source.Source, error) {
	opened, err := o.Object.Sibling(ctx, name)
	if err != nil {
		return nil, err
	}
	identified, ok := opened.(interface {
		Identity(ctx context.Context) (string, error)
	})
	if !ok {
		return opened, nil
	}
	return &sibling{opened, newReader(o.reader.tier, opened, identified.Identity)}, nil
}

// sibling is a sibling of an object that is read through a Tier.
type sibling struct {
	source.Source
	reader *reader
}

// ReadRanges reads ranges from the disk and the sibling.
func (s *sibling) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	return s.reader.readRanges(ctx, ranges)
}
