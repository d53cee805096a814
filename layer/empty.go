package layer

// EmptyAnswer is the answer to a request for a tile without pixels of the image.
type EmptyAnswer uint8

// The answers.
const (
	EmptyUnset    EmptyAnswer = iota // the default of the protocol
	EmptyBlank                       // a blank picture of the requested size and format
	EmptyNothing                     // success without a picture
	EmptyNotFound                    // an error: no such tile
)
