package decoder

// quad holds the four samples of a pixel in 16 bits each, so that one operation processes all of
// them.
type quad uint64

const (
	each    quad = 0x0001_0001_0001_0001
	allBits      = 255 * each
	offset       = 256 * each // keeps differences positive
)

func unpack(p uint32) quad {
	return quad(p&0x00ff00ff) | quad(p&0xff00ff00)<<24
}

func (s quad) pack() uint32 { return uint32(s) | uint32(s>>24) }

// inRange clamps samples that have offset added. They may be up to 766 with the offset.
func (s quad) inRange() quad {
	over := s >> 9 & each
	under := ^(s>>8 | s>>9) & each
	return (s | over*255) & allBits &^ (under * 255)
}

// distances returns the sum of the absolute differences of the samples.
func distances(a, b quad) quad {
	d := a + offset - b
	negative := ^d >> 8 & each
	return ((d&allBits ^ negative*255) + negative) * each >> 48
}

// selectNearest returns left or top, whichever is nearer to left + top - topLeft.
func selectNearest(left, top, topLeft quad) quad {
	if distances(top, topLeft) < distances(left, topLeft) {
		return left
	}
	return top
}

// halfGradient adds half the difference between middle and topLeft to middle, rounded toward zero.
func halfGradient(middle, topLeft quad) quad {
	d := middle + offset - topLeft
	negative := ^d >> 8 & each
	half := (d + negative) >> 1 & (511 * each) // includes half of offset
	return (middle + half + offset/2).inRange()
}
