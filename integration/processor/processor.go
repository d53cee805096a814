// Package processor is for tests of assembly: they are worth something only where it runs.
package processor

import (
	"os"
	"testing"
)

// Require leaves a test out where the processor lacks instructions, and says so loudly. In CI,
// where everything has to be tested, that is a failure.
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
