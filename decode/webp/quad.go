package webp

// quad is the four samples of a pixel apart from each other, in 16 bits each, so that one may reckon with all of them at
// once.
type quad uint64

const (
	each    quad = 0x0001_0001_0001_0001
	allBits      = 255 * each
	offset       = 256 * each // keeps differences above zero
)

func apart(p uint32) quad {
	return quad(p&0x00ff00ff) | quad(p&0xff00ff00)<<24
}

func (s quad) together() uint32 { return uint32(s) | uint32(s>>24) }

// inRange clamps samples that are the offset too large, up to 766 of it.
func (s quad) inRange() quad {
	over := s >> 9 & each
	under := ^(s>>8 | s>>9) & each
	return (s | over*255) & allBits &^ (under * 255)
}

// distances is the sum of those between samples.
func distances(a, b quad) quad {
	d := a + offset - b
	negative := ^d >> 8 & each
	return ((d&allBits ^ negative*255) + negative) * each >> 48
}

// nearer is left or top, whichever their sum less topLeft is nearer to.
func nearer(left, top, topLeft quad) quad {
	if distances(top, topLeft) < distances(left, topLeft) {
		return left
	}
	return top
}

// halfGradient goes on from the middle by half its distance from topLeft, rounded to zero.
func halfGradient(middle, topLeft quad) quad {
	d := middle + offset - topLeft
	negative := ^d >> 8 & each
	half := (d + negative) >> 1 & (511 * each) // half of the offset is in it
	return (middle + half + offset/2).inRange()
}
