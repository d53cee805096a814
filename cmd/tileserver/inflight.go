package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"

	"tileserver/cache"
	"tileserver/config"
	"tileserver/decode"
	"tileserver/decode/formats"
	"tileserver/decode/tiff"
)

// minInFlight is the smallest memory budget with which any file can be read.
const minInFlight = 1 << 20

// overheadBytes is the memory that a command takes besides --in-flight: for the program, the
// indexes of the file, and garbage that is not collected yet.
const overheadBytes = formats.IndexBytes + runtimeBytes

// readShare is the divisor of --in-flight that gives the bytes for pixels that were read. Decoding
// may use the rest.
const readShare = 4

// inFlightOption defines the option that bounds the memory of a command that reads one file.
func inFlightOption(set *flag.FlagSet) *config.Size {
	size := config.Default().InFlight
	set.Var(&size, "in-flight", "`SIZE` Memory for what is read, decoded and drawn; the program itself takes up to 150MiB more")
	return &size
}

// limitMemory checks the option and sets the memory limit of the garbage collector, unless
// GOMEMLIMIT sets it. The returned function restores the previous limit.
func limitMemory(inFlight config.Size) (restore func(), err error) {
	if inFlight < minInFlight {
		return nil, usageError("in-flight must be at least %v, not %v", config.Size(minInFlight), inFlight)
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}, nil
	}
	previous := debug.SetMemoryLimit(int64(inFlight) + overheadBytes)
	return func() { debug.SetMemoryLimit(previous) }, nil
}

// withRenderMemoryHint is withMemoryHint for render, which renders with the other half of --in-flight.
func withRenderMemoryHint(err error, inFlight config.Size) error {
	if isBlockTooLarge(err) {
		return fmt.Errorf("%w; a block may take half of --in-flight, which is %v: give more", err, inFlight)
	}
	return withMemoryHint(err, inFlight)
}

// isBlockTooLarge reports whether err is about a single block that needs too much memory.
func isBlockTooLarge(err error) bool {
	return errors.Is(err, tiff.ErrLimit) && errors.Is(err, decode.ErrUnsupported)
}

// withMemoryHint adds the option to raise to an error about insufficient memory.
func withMemoryHint(err error, inFlight config.Size) error {
	if errors.Is(err, cache.ErrOverBudget) || isBlockTooLarge(err) {
		return fmt.Errorf("%w; give more with --in-flight, which is %v", err, inFlight)
	}
	return err
}
