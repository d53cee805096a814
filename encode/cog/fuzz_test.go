package cog

import (
	"testing"

	"tileserver/encode/blocks"
)

func FuzzRoundTrip(f *testing.F) {
	f.Add(uint8(70), uint8(33), uint8(0), uint8(0), uint16(1))
	f.Add(uint8(1), uint8(1), uint8(9), uint8(7), uint16(1))
	f.Add(uint8(200), uint8(3), uint8(3), uint8(13), uint16(90))
	f.Fuzz(func(t *testing.T, width, height, kind, choice uint8, seed uint16) {
		img := imageOf(allTypes[int(kind)%len(allTypes)], int(width)+1, int(height)+1, int(choice>>4)%4+1)
		img.Coding.Compression = []blocks.Compression{blocks.None, blocks.LZW, blocks.Deflate, blocks.ZSTD}[choice%4]
		img.Info.Masked, img.Big, img.Sparse = choice&4 != 0, choice&8 != 0, seed%2 == 0
		order := blocksOf(img)
		for i := range order { // some order
			j := int(seed) % (i + 1)
			order[i], order[j] = order[j], order[i]
		}
		checkPixels(t, img, open(t, write(t, img, order, 2)))
	})
}
