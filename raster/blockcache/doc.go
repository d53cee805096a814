// Package blockcache keeps the decoded blocks of providers in memory. It has the space of a cache
// that holds them, and a wrapper that reads through it. Package layer owns the spaces, one set for
// all layers; package pyramid also keeps built overviews in them. It knows providers and the cache.
// It must never know what blocks show.
package blockcache
