package source

// A far source answers over a network. What it begins with is in memory since it was opened, and each call
// that needs more takes a round trip, so there few calls matter more than few bytes.
const (
	// HeadBytes is how much a store on the web reads of an object when it opens it.
	HeadBytes = 128 << 10

	// TripBytes is about how much arrives in the time of a round trip: to read that much in vain costs no
	// more than another call.
	TripBytes = 512 << 10
)

// IsFar reports whether a source is far.
func IsFar(s Source) bool { return IsRemote(s.Name()) }
