package raster

import "context"

// PictureProvider is a Provider that may have blocks which are stored as pictures of a kind
// that every browser shows.
type PictureProvider interface {
	Provider

	// StoredPicture returns a block as it is stored, where a browser shows the same by
	// it that Blocks returns: all of the block's pixels and no others, all bands, and
	// nothing that is not valid but by the picture's own opacity. It is false for all
	// other blocks, and for those where it would take long to find out. What is to be
	// done to what is shown, such as to turn it the way up that Info says, is up to
	// the caller.
	StoredPicture(ctx context.Context, level int, id BlockID) (StoredPicture, bool, error)
}

// StoredPicture is a file of its own that shows a block. It is shared and never
// written.
type StoredPicture struct {
	Kind          PictureKind
	Bytes         []byte
	Width, Height int
}

// PictureKind is how a picture is encoded. The zero value is none.
type PictureKind uint8

// The kinds that every browser shows.
const (
	JPEG PictureKind = iota + 1
	WebP
)

var pictureKindNames = [...]string{"none", "jpeg", "webp"}

// String returns the name of k in lower case.
func (k PictureKind) String() string {
	if int(k) < len(pictureKindNames) {
		return pictureKindNames[k]
	}
	return "unknown"
}
