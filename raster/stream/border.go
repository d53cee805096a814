package stream

// Border says which pixels a halo has beyond the edges of the level.
type Border uint8

// The borders.
const (
	NoData    Border = iota // pixels without coverage, with the sample for missing data
	Constant                // valid pixels of Config.Constant
	Replicate               // the nearest pixel of the level
	Reflect                 // the level mirrored at its edges: c b a | a b c
	World                   // the other side of the level to the left and right, as around the globe; Replicate above and below
)

// fold is what follows an edge in one direction.
type fold uint8

const (
	nothing fold = iota
	repeated
	mirrored
	around
)

// across returns what follows the left and right edges.
func (b Border) across() fold {
	return [...]fold{NoData: nothing, Constant: nothing, Replicate: repeated, Reflect: mirrored, World: around}[b]
}

// down returns what follows the upper and lower edges.
func (b Border) down() fold {
	if b == World {
		return repeated
	}
	return b.across()
}

// A run is positions, one after the other, and the pixels of the level that they show: from, from+step,
// and so on.
type run struct {
	at, count  int
	from, step int  // step is 1, or -1 if mirrored, or 0 if repeated
	isBeyond   bool // shows none, since nothing follows the edge
}

// runs returns what the positions from start to end, which is exclusive, show of a level of a size.
func (f fold) runs(start, end, size int) (all []run) {
	for start < end {
		r := f.first(start, end, size)
		all = append(all, r)
		start += r.count
	}
	return all
}

// first returns the first run from start.
func (f fold) first(start, end, size int) run {
	isInside := start >= 0 && start < size
	if (f == nothing || f == repeated) && !isInside {
		r := run{at: start, count: end - start, isBeyond: f == nothing}
		if start < 0 {
			r.count = min(end, 0) - start
		} else {
			r.from = size - 1
		}
		return r
	}
	turn := floorDiv(start, size)
	offset := start - turn*size
	r := run{at: start, count: min(end, (turn+1)*size) - start, from: offset, step: 1}
	if f == mirrored && turn%2 != 0 {
		r.from, r.step = size-1-offset, -1
	}
	return r
}

func floorDiv(a, b int) int {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// shown returns the pixels that r shows, from low to high, which is exclusive.
func (r run) shown() (low, high int) {
	last := r.from + r.step*(r.count-1)
	return min(r.from, last), max(r.from, last) + 1
}

// clipped returns the part of r that shows pixels from low to high, which is exclusive.
func (r run) clipped(low, high int) run {
	first, end := r.within(low, high)
	r.at, r.from, r.count = r.at+first, r.from+first*r.step, end-first
	return r
}

// within returns the positions of r, from its first, that show pixels from low to high.
func (r run) within(low, high int) (first, end int) {
	switch {
	case r.isBeyond, r.step == 0 && (r.from < low || r.from >= high):
		return 0, 0
	case r.step == 0:
		return 0, r.count
	case r.step > 0:
		return max(0, low-r.from), min(r.count, high-r.from)
	default:
		return max(0, r.from-high+1), min(r.count, r.from-low+1)
	}
}
