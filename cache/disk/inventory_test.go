package disk

import (
	"fmt"
	"testing"
	"time"
)

// places returns the places of values that are alone.
func places(count int) []place {
	all := make([]place, count)
	for i := range all {
		all[i] = alone(fmt.Sprint(i))
	}
	return all
}

// A full store looks for its oldest values now and then, not at each value.
func TestAFullStoreMakesRoomForMany(t *testing.T) {
	const maxBytes, most, values = 1000, 1000, 5000
	known := inventory{units: make(map[string]*unit)}
	evictions, evicted := 0, 0
	for i, at := range places(values) {
		if names := known.superfluous(maxBytes, maxBytes/20, 1, at.unit); len(names) > 0 {
			evictions, evicted = evictions+1, evicted+len(names)
		}
		known.set(at, 1)
		known.units[at.unit].used = time.Unix(int64(i), 0)
		if known.bytes > maxBytes {
			t.Fatalf("there are %d bytes", known.bytes)
		}
	}
	if want := (values - most) / (maxBytes/20 + 1); evictions < want || evictions > want+1 || known.bytes != values-int64(evicted) {
		t.Errorf("the oldest of %d values were looked for %d times, want %d; %d bytes are left", values, evictions, want, known.bytes)
	}
	for _, at := range places(values)[values-most*9/10:] {
		if !known.contains(at) {
			t.Fatal("a new value was removed before an old one")
		}
	}
}

// What is known of a value that is alone takes little memory.
func TestAValueThatIsAloneTakesLittleMemory(t *testing.T) {
	known := inventory{units: make(map[string]*unit, 2000)}
	all, next := places(2000), 0
	allocations := testing.AllocsPerRun(1000, func() {
		known.set(all[next], 1)
		next++
	})
	if allocations > 1 {
		t.Errorf("each takes %v allocations, want one", allocations)
	}
}
