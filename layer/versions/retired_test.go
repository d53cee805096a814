package versions

import (
	"fmt"
	"testing"
)

func TestRetiredIsBounded(t *testing.T) {
	f := NewRetired()
	for i := range 3 * maxRetired {
		f.Add(fmt.Sprint("l", i), &Record{key: fmt.Sprint("l@", i)})
		f.Add("often", &Record{key: "often@1"})
	}
	if len(f.byID) > maxRetired {
		t.Errorf("%d are recorded", len(f.byID))
	}
	for i := range 3 * maxRetired {
		if _, ok := f.byID[fmt.Sprint("l", i)]; !ok && !f.dropped.mayContain(fmt.Sprint("l@", i)) {
			t.Errorf("%d is neither recorded nor in the filter", i)
		}
	}
	for _, id := range []string{"often", fmt.Sprint("l", 3*maxRetired-1)} {
		if f.byID[id] == nil {
			t.Errorf("%q was dropped, though it was removed last", id)
		}
	}
	if taken := f.dropped.mayContain("another@1"); taken && f.dropped.mayContain("another@2") && f.dropped.mayContain("another@3") {
		t.Error("the filter contains all keys")
	}
}
