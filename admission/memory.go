package admission

// memory counts the bytes of visits. Dear ones leave a part of it for cheap ones.
type memory struct {
	maxBytes          int64 // 0 is unbounded
	bytes             int64 // of all visits inside
	dearBytes         int64 // of the dear ones among them, without those that are excused
	buildBytes        int64 // of the builds among these
	excusedBytes      int64 // of the dear ones that are excused
	excusedCheapBytes int64 // of the cheap ones that are excused
	pledgedBytes      int64 // kept free for the dear visit that is next
}

func (m *memory) canHold(bytes int64) bool { return bytes >= 0 && m.fitsBeside(bytes, 0) }

// fitsBeside reports whether all memory suffices for some bytes beside others that are taken.
func (m *memory) fitsBeside(bytes, taken int64) bool {
	return m.maxBytes == 0 || bytes <= m.maxBytes-taken
}

// cheapPart returns the bytes that dear work leaves.
func (m *memory) cheapPart() int64 { return m.maxBytes / 4 }

// isCheap reports whether an answer of some bytes can be made in the memory that dear work leaves.
func (m *memory) isCheap(bytes int64) bool { return m.maxBytes == 0 || bytes <= m.cheapPart() }

// fitsCheap reports whether bytes of cheap work are free. It may use all memory, since it soon gives
// it back.
func (m *memory) fitsCheap(bytes int64) bool {
	return m.fitsBeside(bytes, m.bytes+m.pledgedBytes)
}

// fitsDear reports whether bytes of dear work are free.
func (m *memory) fitsDear(bytes int64) bool {
	return m.isAllowed(bytes, m.dearBytes, m.excusedBytes) && m.fitsBeside(bytes, m.bytes)
}

// isAllowed reports whether dear work may have some bytes beside those of other dear work. Work that
// is alone may have all memory. Other work leaves the cheap part, of which excused work, which may
// wait for hours, takes no more than half.
func (m *memory) isAllowed(bytes, dear, excused int64) bool {
	if m.maxBytes == 0 || dear+excused == 0 {
		return true
	}
	return bytes <= m.maxBytes-m.cheapPart()-dear && bytes <= m.maxBytes-m.cheapPart()/2-dear-excused
}

// isTakenForLong reports whether dear work of some bytes must wait for a build, or for excused work. All
// other work ends soon.
func (m *memory) isTakenForLong(bytes int64) bool {
	return !m.isAllowed(bytes, m.buildBytes, m.excusedBytes) ||
		!m.fitsBeside(bytes, m.buildBytes+m.excusedBytes+m.excusedCheapBytes)
}

// pledge keeps bytes for dear work that waits only for cheap work to end. Otherwise new cheap work
// could take what is given back, again and again.
func (m *memory) pledge(bytes int64) {
	if m.isAllowed(bytes, m.dearBytes, m.excusedBytes) {
		m.pledgedBytes = bytes
	}
}

func (m *memory) reserve(v *visit) { m.add(v, v.Bytes) }

func (m *memory) release(v *visit) { m.add(v, -v.Bytes) }

// add counts more bytes of visits like v.
func (m *memory) add(v *visit, bytes int64) {
	m.bytes += bytes
	switch {
	case v.isExcused && v.lane == Cheap:
		m.excusedCheapBytes += bytes
	case v.lane == Cheap:
	case v.isExcused:
		m.excusedBytes += bytes
	case v.isBuild():
		m.buildBytes += bytes
		m.dearBytes += bytes
	default:
		m.dearBytes += bytes
	}
}
