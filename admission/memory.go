package admission

// memory counts the bytes of visits. Dear ones may use all but a share, which is left for cheap ones.
type memory struct {
	maxBytes     int64 // 0 is unbounded
	bytes        int64 // of all visits inside
	dearBytes    int64 // of the dear ones among them
	pledgedBytes int64 // kept free for the dear visit that is next
}

// cheapShare is the divisor of the memory that dear work leaves.
const cheapShare = 4

func (m *memory) canHold(bytes int64) bool {
	return bytes >= 0 && (m.maxBytes == 0 || bytes <= m.maxBytes)
}

// isCheap reports whether an answer of some bytes can be made in the memory that dear work leaves.
func (m *memory) isCheap(bytes int64) bool { return m.maxBytes == 0 || bytes <= m.maxBytes/cheapShare }

// fitsCheap reports whether bytes of cheap work are free. It may use all memory, since it soon gives
// it back.
func (m *memory) fitsCheap(bytes int64) bool {
	return m.maxBytes == 0 || bytes <= m.maxBytes-m.bytes-m.pledgedBytes
}

// fitsDear reports whether bytes of dear work are free. Work that needs more than the share of dear
// work may have all memory, but not beside other dear work.
func (m *memory) fitsDear(bytes int64) bool {
	if m.maxBytes == 0 {
		return true
	}
	isInShare := m.dearBytes == 0 || bytes <= m.maxBytes-m.maxBytes/cheapShare-m.dearBytes
	return isInShare && bytes <= m.maxBytes-m.bytes
}

// pledge keeps bytes for dear work that waits only for cheap work to end. Otherwise new cheap work
// could take what is given back, again and again.
func (m *memory) pledge(bytes int64) {
	if m.dearBytes == 0 {
		m.pledgedBytes = bytes
	}
}

func (m *memory) reserve(v *visit) {
	m.bytes += v.Bytes
	if v.lane != Cheap {
		m.dearBytes += v.Bytes
	}
}

func (m *memory) release(v *visit) {
	m.bytes -= v.Bytes
	if v.lane != Cheap {
		m.dearBytes -= v.Bytes
	}
}
