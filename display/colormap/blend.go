package colormap

// fractionBits is the precision of a position between two stops. No channel is off by more than
// 255/65536 before rounding.
const fractionBits = 16

// progress returns where v lies between from and to, in units of 1/(1<<fractionBits); v must not be
// below from and must be below to.
func progress(v, from, to float64) uint64 {
	return uint64(int64((v - from) / (to - from) * (1 << fractionBits)))
}

// A blend interpolates between two colors. A word holds two channels with fractionBits of fraction,
// so that two multiplications interpolate four channels. A decreasing channel has a negative
// change. It borrows from the lane above and returns the borrow when it is added.
type blend struct {
	redBlue, greenAlpha             uint64
	redBlueChange, greenAlphaChange uint64
}

func newBlend(from, to Color) blend {
	return blend{
		redBlue:          lanes(int64(from.R), int64(from.B))<<fractionBits + halves,
		greenAlpha:       lanes(int64(from.G), int64(from.A))<<fractionBits + halves,
		redBlueChange:    lanes(int64(to.R)-int64(from.R), int64(to.B)-int64(from.B)),
		greenAlphaChange: lanes(int64(to.G)-int64(from.G), int64(to.A)-int64(from.A)),
	}
}

func lanes(low, high int64) uint64 { return uint64(low + high<<32) }

const (
	// halves turns truncation into rounding to the nearest.
	halves = 1<<(fractionBits-1) | 1<<(fractionBits-1+32)

	laneBytes = 0xff | 0xff<<32
)

// at returns the color at a position as four bytes, red in the lowest.
func (b blend) at(progress uint64) uint32 {
	redBlue := (b.redBlue + progress*b.redBlueChange) >> fractionBits & laneBytes
	greenAlpha := (b.greenAlpha + progress*b.greenAlphaChange) >> fractionBits & laneBytes
	packed := redBlue | greenAlpha<<8
	return uint32(packed | packed>>16)
}
