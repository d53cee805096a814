package codestream

// Reader gives the bytes of a codestream.
type Reader interface {
	// Size is how many bytes there are.
	Size() int64

	// Peek returns bytes from an offset on: at least so many, or all that there are to the end of the codestream,
	// and more where they are at hand. They must not be written to, and are good until the next call.
	Peek(offset int64, least int) ([]byte, error)
}
