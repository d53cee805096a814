package colormap

// wayBits is how finely the way from one stop to the next is divided: so that no channel is
// off by more than 255/65536 before it is rounded.
const wayBits = 16

// progress is how far v, which is not below from and below to, has come, in parts of 1<<wayBits.
func progress(v, from, to float64) uint64 {
	return uint64(int64((v - from) / (to - from) * (1 << wayBits)))
}

// blend is the way from one colour to another. A word carries two channels with wayBits of
// fraction, so that two multiplications move four channels. What moves down is a difference
// below 0: it borrows from the lane above and gives back when it is added.
type blend struct {
	redBlue, greenAlpha             uint64
	redBlueChange, greenAlphaChange uint64
}

func newBlend(from, to Color) blend {
	return blend{
		redBlue:          lanes(int64(from.R), int64(from.B))<<wayBits + halves,
		greenAlpha:       lanes(int64(from.G), int64(from.A))<<wayBits + halves,
		redBlueChange:    lanes(int64(to.R)-int64(from.R), int64(to.B)-int64(from.B)),
		greenAlphaChange: lanes(int64(to.G)-int64(from.G), int64(to.A)-int64(from.A)),
	}
}

func lanes(low, high int64) uint64 { return uint64(low + high<<32) }

const (
	// halves make rounding down a rounding to the nearest.
	halves = 1<<(wayBits-1) | 1<<(wayBits-1+32)

	laneBytes = 0xff | 0xff<<32
)

// at is the colour after that progress as four bytes, red in the lowest.
func (b blend) at(progress uint64) uint32 {
	redBlue := (b.redBlue + progress*b.redBlueChange) >> wayBits & laneBytes
	greenAlpha := (b.greenAlpha + progress*b.greenAlphaChange) >> wayBits & laneBytes
	packed := redBlue | greenAlpha<<8
	return uint32(packed | packed>>16)
}
