package kernel

import (
	"regexp"
	"strconv"
	"testing"
)

func TestTheSourceHasTheSameConstants(t *testing.T) {
	for name, want := range map[string]int{
		"stripeRows": stripeRows, "groupColumns": groupColumns, "stateWords": stateWords, "firstPlane": fields - 1,
		"roundsPerStep": roundsPerStep, "symbolsPerRound": symbolsPerRound,
	} {
		if got := number(t, `const `+name+` = (\d+)u;`); got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
	if got := number(t, `@workgroup_size\((\d+)\)\s+fn decode`); got != lanes {
		t.Errorf("workgroups have %d invocations, want %d", got, lanes)
	}
}

// number returns the number that a pattern finds in the source.
func number(t *testing.T, pattern string) int {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(source)
	if found == nil {
		t.Fatalf("nothing matches %s", pattern)
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
