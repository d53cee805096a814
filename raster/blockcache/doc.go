// Package blockcache keeps the decoded blocks of providers in memory. It has the space of a cache
// that holds them, and a wrapper that reads through it. Package layer owns the spaces, one set for
// all layers. Package pyramid/overview keeps built overviews in them. The package knows providers
// and the cache. It must never know what blocks show.
package blockcache
