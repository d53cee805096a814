package raster

import "context"

// PictureProvider is a Provider that may store blocks as pictures that every browser displays.
type PictureProvider interface {
	Provider

	// StoredPicture returns the stored picture of a rectangle of a level if a browser shows by it
	// the same pixels that Blocks returns: all pixels of the rectangle and no others, and all bands.
	// Only the opacity of the picture may mark pixels as invalid. The result is false for all other
	// rectangles, and where the check would take long. The caller applies the orientation that Info
	// names.
	StoredPicture(ctx context.Context, level int, rect Rect) (StoredPicture, bool, error)
}

// StoredPicture is a complete picture file that shows a rectangle. It is shared and must not be
// modified.
type StoredPicture struct {
	Kind          PictureKind
	Bytes         []byte
	Width, Height int
}

// PictureKind is the encoding of a picture. The zero value is none.
type PictureKind uint8

// The encodings that every browser displays.
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
