package codestream

// Reader reads the bytes of a codestream.
type Reader interface {
	// Size returns the number of bytes.
	Size() int64

	// Peek returns at least minLength bytes from an offset on, or all up to the end of the
	// codestream. It returns more if they are available. The bytes must not be modified and are
	// valid until the next call.
	Peek(offset int64, minLength int) ([]byte, error)
}
