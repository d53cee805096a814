package integration

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A time that is a number has lost the reading of the monotonic clock. Durations between such times are
// wrong when the clock of the machine is set: a check that is due in a second may then be due in a day.
func TestDurationsAreMeasuredByAClockThatIsNeverSet(t *testing.T) {
	lost := regexp.MustCompile(`time\.Now\(\)\.(Unix|UnixNano|UnixMilli|UnixMicro|Round|Truncate|UTC|Local|In)\(`)
	allowed := []string{
		"layer/changes.go",           // a time that clients see, which never decreases
		"source/azure/sharedkey.go",  // a header
		"source/credential/kept.go",  // what expires does so by the clock of who issued it, also while a machine sleeps
		"source/sourcetest/store.go", // the time of an object
	}
	walkSources(t, "..", func(_, file string, _ []string) {
		if !strings.HasSuffix(file, "_test.go") && !slices.Contains(allowed, file) && lost.MatchString(readText(t, "../"+file)) {
			t.Errorf("%s forgets the monotonic clock", file)
		}
	})
}
