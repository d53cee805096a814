package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"

	"tileserver/cache"
	"tileserver/decode"
	"tileserver/decode/tiff"
)

// minInFlight is the least memory that anything can be read with.
const minInFlight = 1 << 20

// beyondInFlight is what a command takes beside what --in-flight grants: the program, the
// indexes of the file, and what the collector has not come to yet.
const beyondInFlight = filesBytes + runtimeBytes

// readShare is which part of what is granted is for pixels that were read: decoding them takes the
// rest at most.
const readShare = 4

// inFlightOption defines the option that bounds the memory of a command that reads one file.
func inFlightOption(set *flag.FlagSet) *byteSize {
	size := defaultConfig().InFlight
	set.Var(&size, "in-flight", "`SIZE` Memory for what is read, decoded and drawn; the program itself takes up to 150MiB more")
	return &size
}

// grant checks the option and tells the collector what was granted, unless the environment says
// it otherwise. What it returns takes that back.
func grant(inFlight byteSize) (end func(), err error) {
	if inFlight < minInFlight {
		return nil, usageError("in-flight must be at least %v, not %v", byteSize(minInFlight), inFlight)
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}, nil
	}
	before := debug.SetMemoryLimit(int64(inFlight) + beyondInFlight)
	return func() { debug.SetMemoryLimit(before) }, nil
}

// withRenderRemedy is withRemedy for render, which draws with the other half of --in-flight.
func withRenderRemedy(err error, inFlight byteSize) error {
	if isBlockTooLarge(err) {
		return fmt.Errorf("%w; a block may take half of --in-flight, which is %v: give more", err, inFlight)
	}
	return withRemedy(err, inFlight)
}

// isBlockTooLarge reports whether an error is that a single block needs too much memory.
func isBlockTooLarge(err error) bool {
	return errors.Is(err, tiff.ErrLimit) && errors.Is(err, decode.ErrUnsupported)
}

// withRemedy names the option that helps where an error is that memory was not enough.
func withRemedy(err error, inFlight byteSize) error {
	if errors.Is(err, cache.ErrOverBudget) || isBlockTooLarge(err) {
		return fmt.Errorf("%w; give more with --in-flight, which is %v", err, inFlight)
	}
	return err
}
