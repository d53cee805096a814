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

// unseenBytes is memory that the garbage collector does not bound: the program's own file, and what is
// allocated while it collects.
const unseenBytes = 32 << 20

// BoundServer sets the limit of the garbage collector for the budgets and for the files that stay in
// memory, unless GOMEMLIMIT sets it.
func BoundServer(c config.Config, files Files) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(c.Cache) + int64(c.InFlight) + int64(c.Rendering) + int64(c.Sending) + files.Bytes() + int64(besideBudgets) - unseenBytes)
	}
}
