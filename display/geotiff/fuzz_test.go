package geotiff

import (
	"errors"
	"testing"
)

func FuzzEncode(f *testing.F) {
	f.Add(uint8(1), uint8(16), uint8(16), uint8(3), uint16(0), uint64(1))
	f.Add(uint8(9), uint8(200), uint8(3), uint8(1), uint16(0x21), uint64(2))
	f.Add(uint8(3), uint8(1), uint8(90), uint8(3), uint16(0x57), uint64(3))
	f.Add(uint8(14), uint8(17), uint8(33), uint8(5), uint16(0x19a), uint64(4))
	f.Add(uint8(5), uint8(0), uint8(33), uint8(2), uint16(0), uint64(5))
	f.Fuzz(func(t *testing.T, kind, width, height, bands uint8, how uint16, seed uint64) {
		img := noisyImage(Type(kind), int(width), int(height), int(bands%6))
		img.Compression = Compression(how & 1)
		img.Big = how&2 != 0
		img.RGB = how&4 != 0
		img.TileSide = int(how >> 3 & 3 * 16)
		img.Masking = Masking(how >> 5 & 3)
		pixels := img.Width * img.Height
		switch how >> 7 & 3 {
		case 1:
			img.Coverage = [][]uint8{patchyCoverage(pixels, seed)}
		case 2:
			for i := range img.Bands {
				img.Coverage = append(img.Coverage, patchyCoverage(pixels, seed+uint64(i)))
			}
		}
		fill := make([]byte, img.Type.Size())
		if how&0x200 != 0 && img.Type.Size() > 0 {
			noData := float64(seed % 100)
			sample := img.Type.sample(noData)
			img.NoData, fill = &noData, sample[:img.Type.Size()]
		}
		var encoder Encoder
		out, err := encoder.Encode(nil, img)
		if err != nil {
			if !errors.Is(err, ErrImage) || isValid(img) {
				t.Fatal(err)
			}
			return
		}
		file := parse(t, out)
		if file.big != img.Big {
			t.Errorf("big %v, want %v", file.big, img.Big)
		}
		checkBands(t, file.images[0].planes(t), img, fill)
		if len(file.images) > 1 {
			checkMask(t, file.images[1:], masksOf(img, len(file.images[1].planes(t))))
		}
	})
}

// isValid reports whether an image of the fuzz test must be written.
func isValid(img *Image) bool {
	return img.Type.Size() > 0 && img.pixels() > 0 && len(img.Bands) > 0 && img.Masking == MaskAuto && !img.RGB
}

func masksOf(img *Image, count int) (masks [][]uint8) {
	for i := range count {
		masks = append(masks, img.coverage(i))
	}
	return masks
}
