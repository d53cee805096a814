package dataset

import (
	"context"

	"tileserver/cache/disk"
	"tileserver/decode/container"
)

// maxIndexStateBytes bounds the code-block indexes in the state folder.
const maxIndexStateBytes = 192 << 20

// stateOf returns where the code-block index of a file is stored, or nil if it must not be stored.
func (o *Opener) stateOf(identity string) container.State {
	if o.indexes == nil || identity == "" {
		return nil
	}
	return identifiedState{o.indexes, identity}
}

// identifiedState is the part of a store that belongs to one file. It prefixes keys with the file's
// identity, because another file may have the same key.
type identifiedState struct {
	*disk.Store
	identity string
}

func (s identifiedState) Get(ctx context.Context, key string) ([]byte, bool) {
	return s.Store.Get(ctx, s.identity+":"+key)
}

func (s identifiedState) Put(ctx context.Context, key string, value []byte) error {
	return s.Store.Put(ctx, s.identity+":"+key, value)
}
