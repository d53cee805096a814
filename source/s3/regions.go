package s3

import "sync"

// maxRegions bounds the buckets whose regions are remembered.
const maxRegions = 1024

// regions are those that servers told of, of buckets that are not in the region of the configuration.
type regions struct {
	mu    sync.Mutex // guards the field below
	known map[string]string
}

// of returns the region of a bucket, or another one if it is not known.
func (r *regions) of(bucket, otherwise string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if region, ok := r.known[bucket]; ok {
		return region
	}
	return otherwise
}

// learn remembers the region of a bucket.
func (r *regions) learn(bucket, region string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil || len(r.known) >= maxRegions {
		r.known = make(map[string]string)
	}
	r.known[bucket] = region
}
