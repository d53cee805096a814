// Package processor helps tests of assembly, which are only meaningful on processors that run it.
package processor

import (
	"os"
	"testing"
)

// Require skips a test loudly if the processor lacks instructions. In CI, where everything must be
// tested, it fails the test instead.
func Require(t testing.TB, has bool, instructions string) {
	t.Helper()
	switch {
	case has:
	case os.Getenv("CI") == "true":
		t.Fatalf("THE ASSEMBLY WAS NOT RUN: this processor has no %s", instructions)
	default:
		t.Skipf("SKIPPED, THE ASSEMBLY WAS NOT RUN: this processor has no %s", instructions)
	}
}
