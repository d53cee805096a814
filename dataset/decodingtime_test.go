package dataset

import (
	"testing"

	"tileserver/decode/container"
)

// storedImage is an image of which only the compression is known.
type storedImage struct {
	container.Image
	compression string
}

func (i storedImage) AddStorage(to *container.Facts) { to.Compression = i.compression }

func TestGuessesOfDecodingFollowFromTheCodec(t *testing.T) {
	for compression, want := range map[string]int64{
		"none": 2, "packbits": 2, "": 2, "jpeg": 3, "old jpeg": 3, "JPEG (IC C3)": 3, "deflate": 4,
		"jpeg 2000": 45, "JPEG 2000 (IC C8)": 45, "htj2k": 12, "HTJ2K (IC C8)": 12,
	} {
		if got := decodingTime(storedImage{compression: compression}); int64(got) != want {
			t.Errorf("%q: %v a sample, want %dns", compression, got, want)
		}
	}
}
