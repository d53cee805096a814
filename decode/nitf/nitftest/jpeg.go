package nitftest

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"slices"
)

// jpeg returns a block as a JPEG of 8 bits: gray, or YCbCr of red, green and blue bands.
func (m *Image) jpeg(b block) []byte {
	planes := m.sampled(b)
	return m.encodeJPEG(picture(planes, m.BlockWidth, m.BlockHeight))
}

// reducedJPEG returns the image as a JPEG of half its size, as "I1" has it.
func (m *Image) reducedJPEG(b block) []byte {
	half := *m
	half.Width, half.Height = (m.Width+1)/2, (m.Height+1)/2
	half.BlockWidth, half.BlockHeight = half.Width, half.Height
	half.Value = func(x, y, band int) float64 {
		return m.Value(min(2*x, m.Width-1), min(2*y, m.Height-1), band)
	}
	return half.jpeg(b)
}

func picture(planes [][]uint64, width, height int) image.Image {
	switch len(planes) {
	case 1:
		gray := image.NewGray(image.Rect(0, 0, width, height))
		for i, v := range planes[0] {
			gray.Pix[i] = byte(v)
		}
		return gray
	case 3:
		color := image.NewRGBA(image.Rect(0, 0, width, height))
		for i := range width * height {
			copy(color.Pix[4*i:], []byte{byte(planes[0][i]), byte(planes[1][i]), byte(planes[2][i]), 0xFF})
		}
		return color
	}
	panic("JPEG of bands that are not one or three")
}

// encodeJPEG encodes a picture and marks the stream as NITF does.
func (m *Image) encodeJPEG(picture image.Image) []byte {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: 95}); err != nil {
		panic(err)
	}
	const startBytes = 2
	return slices.Insert(out.Bytes(), startBytes, m.marker()...)
}

// marker returns the application segment of NITF.
func (m *Image) marker() []byte {
	body := append([]byte("NITF\x00\x02\x00"), m.Mode[0])
	body = binary.BigEndian.AppendUint16(body, uint16(m.columns()))
	body = binary.BigEndian.AppendUint16(body, uint16(m.rows()))
	// Gray, bits, general purpose, baseline, own tables; then the stream's color and bits, and rest.
	body = append(body, 0, byte(m.ActualBits), 0, 1, 0, 0, byte(m.ActualBits), 1, 1, 0, 0)
	return append([]byte{0xFF, 0xE6, 0, byte(len(body) + 2)}, body...)
}
