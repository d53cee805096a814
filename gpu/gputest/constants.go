package gputest

import (
	"regexp"
	"strconv"
	"testing"

	"tileserver/gpu"
)

// CheckConstants compares constants of a kernel's source with what its package in Go says of them.
func CheckConstants(t testing.TB, kernel *gpu.Kernel, want map[string]int) {
	t.Helper()
	for name, value := range want {
		found := regexp.MustCompile(`const ` + name + ` = (\d+)u;`).FindStringSubmatch(kernel.Source)
		if found == nil {
			t.Errorf("the source has no constant %s", name)
			continue
		}
		if got, err := strconv.Atoi(found[1]); err != nil || got != value {
			t.Errorf("in the source %s is %s, want %d", name, found[1], value)
		}
	}
}
