package memory

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"

	"tileserver/cache"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/decode"
	"tileserver/decode/formats"
)

// minInFlight is the smallest memory budget with which any file can be read.
const minInFlight = 1 << 20

// overheadBytes is the memory that a command takes besides --in-flight: for the program, the
// indexes of the file, and garbage that is not collected yet.
const overheadBytes = formats.IndexBytes + 64<<20

// Option defines the option that bounds the memory of a command that reads one file.
func Option(set *flag.FlagSet) *config.Size {
	size := config.Default().InFlight
	set.Var(&size, "in-flight", "`SIZE` Memory for what is read, decoded and drawn; the program itself takes up to 150MiB more")
	return &size
}

// BoundCommand checks the option and sets the memory limit of the garbage collector, unless
// GOMEMLIMIT sets it. gridBytes is what grids of datum shifts may take besides. The returned function
// restores the previous limit.
func BoundCommand(inFlight config.Size, gridBytes int64) (restore func(), err error) {
	if inFlight < minInFlight {
		return nil, usage.Mistakef("in-flight must be at least %v, not %v", config.Size(minInFlight), inFlight)
	}
	return boundGarbage(inFlight, gridBytes), nil
}

// minWorkMemory is the smallest memory budget with which commands export and pyramid can read a usual file.
const minWorkMemory = 16 << 20

// BoundWork is BoundCommand for commands whose option is --memory.
func BoundWork(memory config.Size, gridBytes int64) (restore func(), err error) {
	if memory < minWorkMemory {
		return nil, usage.Mistakef("--memory must be at least %v, not %v", config.Size(minWorkMemory), memory)
	}
	return boundGarbage(memory, gridBytes), nil
}

// boundGarbage sets the limit of the garbage collector, unless GOMEMLIMIT sets it.
func boundGarbage(budget config.Size, gridBytes int64) (restore func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	previous := debug.SetMemoryLimit(int64(budget) + gridBytes + overheadBytes)
	return func() { debug.SetMemoryLimit(previous) }
}

// RenderHint is Hint for command render. It decodes within half of --in-flight; the cache and the
// rendering share the rest.
func RenderHint(err error, inFlight config.Size) error {
	if errors.Is(err, decode.ErrBlockTooLarge) {
		return fmt.Errorf("%w; a block may take half of --in-flight, which is %v: give more", err, inFlight)
	}
	return Hint(err, inFlight)
}

// Hint adds the option to raise to an error about insufficient memory.
func Hint(err error, inFlight config.Size) error {
	if errors.Is(err, cache.ErrOverBudget) || errors.Is(err, decode.ErrBlockTooLarge) {
		return fmt.Errorf("%w; give more with --in-flight, which is %v", err, inFlight)
	}
	return err
}

// ExportHint is Hint for command export, which decodes within a quarter of --memory.
func ExportHint(err error, memory config.Size) error {
	if errors.Is(err, cache.ErrOverBudget) || errors.Is(err, decode.ErrBlockTooLarge) {
		return fmt.Errorf("%w; a quarter of --memory, which is %v, is for decoding, and a quarter for drawing: give more", err, memory)
	}
	return err
}

// PyramidHint is Hint for command pyramid, which decodes within a quarter of --memory.
func PyramidHint(err error, memory config.Size) error {
	if errors.Is(err, cache.ErrOverBudget) || errors.Is(err, decode.ErrBlockTooLarge) {
		return fmt.Errorf("%w; a quarter of --memory, which is %v, is for decoding, and more than a quarter for what was decoded: give more", err, memory)
	}
	return err
}
