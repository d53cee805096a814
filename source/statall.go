package source

import (
	"context"
	"sync"
)

// Found is the state of what lies at a path, or why that is unknown.
type Found struct {
	State
	Err error
}

// maxParallelStats bounds the calls of StatAll at a time. Most wait for a disk or a network.
const maxParallelStats = 16

// StatAll returns the states of what lies at several paths of a store. It asks for many at a time, so
// that all of them are late as long as the latest, and not as long as their sum.
func StatAll(ctx context.Context, store Store, paths []string) []Found {
	found := make([]Found, len(paths))
	free := make(chan struct{}, maxParallelStats)
	var asking sync.WaitGroup
	for i, path := range paths {
		free <- struct{}{}
		asking.Go(func() {
			defer func() { <-free }()
			found[i].State, found[i].Err = store.Stat(ctx, path)
		})
	}
	asking.Wait()
	return found
}
