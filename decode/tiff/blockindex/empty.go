package blockindex

// Emptiness says what is known of some units.
type Emptiness int

const (
	Undecided Emptiness = iota // chunks that would tell are missing
	Empty                      // none of the units is stored
	NotEmpty                   // one of them is, at least
)

// And returns what is known of two runs of units together.
func (e Emptiness) And(other Emptiness) Emptiness {
	switch {
	case e == NotEmpty || other == NotEmpty:
		return NotEmpty
	case e == Undecided || other == Undecided:
		return Undecided
	}
	return Empty
}

// MaxChunksPerLoad bounds the missing chunks that Emptiness collects before they are loaded.
const MaxChunksPerLoad = 64

// Emptiness checks the units from first to before end, whole chunks at a time where it can. It stops
// when MaxChunksPerLoad chunks are missing.
func (x *Index) Emptiness(l *Lookup, first, end int64) Emptiness {
	if end > x.listed {
		return NotEmpty // some are lost
	}
	a := &x.offsets
	size := int64(a.kind.Size())
	if a.value != nil {
		return emptyIf(allZero(a.value[first*size : end*size]))
	}
	all := Empty
	for first < end {
		number, within := a.chunkOf(first)
		where := a.chunkRange(number)
		perChunk := where.Length / size
		here := min(end-first, perChunk-int64(within))
		if a.zeros.kind(number) == hasValues && here == perChunk {
			return NotEmpty
		}
		values, known := l.chunk(x, a, number)
		switch {
		case !known && len(l.missing) >= MaxChunksPerLoad:
			return Undecided
		case !known:
			all = Undecided
		case values != nil && !allZero(values[int64(within)*size:][:here*size]):
			return NotEmpty
		}
		first += here
	}
	return all
}

func emptyIf(zeros bool) Emptiness {
	if zeros {
		return Empty
	}
	return NotEmpty
}
