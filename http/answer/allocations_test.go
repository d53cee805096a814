package answer

import (
	"net/http"
	"testing"
)

// http.ParseTime allocates nine errors for a missing date, so the server must not parse one.
func TestMissingDatesDoNotAllocate(t *testing.T) {
	header := http.Header{"Accept": {"image/png"}}
	for _, name := range []string{"If-Modified-Since", "If-Unmodified-Since"} {
		allocations := testing.AllocsPerRun(100, func() {
			if _, ok := dateIn(header, name); ok {
				t.Errorf("there is a date in %s", name)
			}
		})
		if allocations != 0 {
			t.Errorf("a missing %s takes %.0f allocations", name, allocations)
		}
	}
}
