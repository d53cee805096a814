// Package memory bounds what the process takes: a server by its four budgets, which must fit into the
// limit of its container, a command that reads one file by the option --in-flight. Package main and
// the packages of commands call it. The package owns the limits of the garbage collector, and knows
// where the system writes its own. It must never know what the memory holds.
package memory

import (
	"os"
	"runtime/debug"

	"tileserver/config"
)

const (
	// unseenBytes is memory that the garbage collector does not bound: the program's own file, and
	// what is allocated while it collects.
	unseenBytes = 32 << 20

	// garbageBytes is about how much garbage may gather before it is collected.
	garbageBytes = 96 << 20

	minGCPercent = 10
	maxGCPercent = 100
)

// BoundServer sets the limits of the garbage collector for the budgets and for the files that stay in
// memory, unless GOMEMLIMIT and GOGC set them. A cache is live memory without pointers. With the
// default GOGC, as much garbage would gather as the cache is large, and blocks would be decoded into
// fresh pages of memory. Collecting earlier costs little, since pixels contain no pointers to follow.
func BoundServer(c config.Config, files Files) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(c.Cache) + int64(c.InFlight) + int64(c.Rendering) + int64(c.Sending) + files.Bytes() + int64(besideBudgets) - unseenBytes)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent(int64(c.Cache)))
	}
}

// gcPercent returns the GOGC value for a cache size.
func gcPercent(cacheBytes int64) int {
	return int(min(max(100*garbageBytes/max(cacheBytes, 1), minGCPercent), maxGCPercent))
}
