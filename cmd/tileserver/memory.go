package main

import (
	"os"
	"runtime/debug"
)

const (
	// runtimeBytes is what a server takes beside its three budgets.
	runtimeBytes = 64 << 20

	// filesBytes is what open files keep of where their blocks lie, all together.
	filesBytes = 32 << 20

	// garbageBytes is about how much garbage may gather before it is collected.
	garbageBytes = 96 << 20

	minGCPercent = 10
	maxGCPercent = 100
)

// boundMemory tells the collector what was granted, unless the environment says
// it otherwise. A cache is live memory without pointers: left alone, the
// collector would let as much garbage gather as the cache is large, and every
// block would be decoded into pages that the system has to find anew. Collecting
// earlier costs little, for there is nothing in pixels to follow.
func boundMemory(c config) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(c.Cache) + int64(c.InFlight) + int64(c.Rendering) + filesBytes + runtimeBytes)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent(int64(c.Cache)))
	}
}

// gcPercent is by how much the heap may outgrow what is live, for a cache of that
// size.
func gcPercent(cacheBytes int64) int {
	return int(min(max(100*garbageBytes/max(cacheBytes, 1), minGCPercent), maxGCPercent))
}
