package reuse

import "testing"

func TestMemoryIsReusedIfItIsLargeEnough(t *testing.T) {
	scratch := []int{1, 2, 3, 4}
	for _, length := range []int{0, 2, 4} {
		got := Slice(scratch[:1], length)
		if len(got) != length || length > 0 && &got[0] != &scratch[0] {
			t.Errorf("%d of 4: %v, in other memory", length, got)
		}
	}
	got := Slice(scratch, 5)
	if len(got) != 5 || got[0] != 0 || got[4] != 0 {
		t.Errorf("5 of 4: %v, want five zeros", got)
	}
	if allocations := testing.AllocsPerRun(10, func() { scratch = Slice(scratch, 3) }); allocations > 0 {
		t.Errorf("%v allocations", allocations)
	}
}
