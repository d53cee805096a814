package layer

import (
	"fmt"
	"testing"
)

func TestFormersAreBounded(t *testing.T) {
	f := newFormers()
	for i := range 3 * maxFormers {
		f.add(fmt.Sprint("l", i), &former{key: fmt.Sprint("l@", i)})
		f.add("often", &former{key: "often@1"})
	}
	if len(f.byID) > maxFormers {
		t.Errorf("%d are remembered", len(f.byID))
	}
	for i := range 3 * maxFormers {
		if _, ok := f.byID[fmt.Sprint("l", i)]; !ok && !f.forgotten.mayHave(fmt.Sprint("l@", i)) {
			t.Errorf("of %d, nothing is known", i)
		}
	}
	for _, id := range []string{"often", fmt.Sprint("l", 3*maxFormers-1)} {
		if f.byID[id] == nil {
			t.Errorf("%q is forgotten, which left last", id)
		}
	}
	if taken := f.forgotten.mayHave("another@1"); taken && f.forgotten.mayHave("another@2") && f.forgotten.mayHave("another@3") {
		t.Error("all keys are taken for forgotten ones")
	}
}
