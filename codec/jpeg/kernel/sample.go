package kernel

import (
	"bytes"
	"encoding/binary"
	"image"
	stdjpeg "image/jpeg"
	"math"
	"math/rand/v2"

	"tileserver/codec/jpeg"
	"tileserver/codec/jpeg/decoder"
	"tileserver/gpu"
	"tileserver/gpu/trial"
)

// The picture of a sample. Its chroma has half the width and height, so that a row of units has 16 rows.
const (
	sampleWidth  = 256
	sampleHeight = 128
	sampleUnit   = 16
)

// Sample returns typical pictures: photographs with a restart marker after each row of units.
func Sample(jobs int) trial.Work {
	var d decoder.Decoder
	open := func(stream []byte) decoder.Intervals { // it is sound
		_, _ = d.Open(stream, nil)
		intervals, _ := d.Intervals(sampleHeight)
		return intervals
	}
	return trial.Items[[]byte, uint8]{
		Kernel: Intervals, Few: sampleStreams(),
		Job: func(stream []byte) gpu.Job {
			intervals := open(stream)
			job, _ := JobOf(&intervals) // it is small
			return job
		},
		Size: func([]byte) int { return 3 * sampleWidth * sampleHeight },
		Write: func(stream, input []byte) {
			intervals := open(stream)
			Write(&intervals, input)
		},
		Do: func(stream, pixels []byte) {
			open(stream)
			_ = d.Decode8(samplePicture(pixels))
		},
		Read: func(stream []byte, status uint32, output, pixels []byte) error {
			samples, err := Samples(status, output)
			if err != nil {
				return err
			}
			open(stream)
			return d.Compose8(samplePicture(pixels), samples)
		},
	}.Work(jobs)
}

// samplePicture returns a picture in memory.
func samplePicture(pixels []byte) *decoder.Picture[uint8] {
	p := &decoder.Picture[uint8]{Width: sampleWidth, Height: sampleHeight, RGB: true}
	for i := range 3 {
		p.Planes[i] = pixels[i*sampleWidth*sampleHeight:][:sampleWidth*sampleHeight]
	}
	return p
}

// sampleStreams returns the streams.
func sampleStreams() (few [][]byte) {
	for seed := range uint64(8) {
		few = append(few, sampleStream(seed))
	}
	return few
}

// sampleStream returns one of the streams. A row of units alone is a picture whose scan does not depend on
// others, and so are the data between two restart markers.
func sampleStream(seed uint64) (stream []byte) {
	random := rand.New(rand.NewPCG(seed, 1))
	for row := range sampleHeight / sampleUnit {
		head, scan := encodeSample(sampleRow(row, random))
		if row == 0 {
			stream = head
		} else {
			stream = append(stream, 0xFF, byte(jpeg.MarkerRestart)+byte((row-1)%8))
		}
		stream = append(stream, scan...)
	}
	return append(stream, 0xFF, byte(jpeg.MarkerEnd))
}

// sampleRow draws a row of units: waves with grain.
func sampleRow(row int, random *rand.Rand) *image.YCbCr {
	drawn := image.NewYCbCr(image.Rect(0, 0, sampleWidth, sampleUnit), image.YCbCrSubsampleRatio420)
	for i := range drawn.Y {
		x, y := float64(i%sampleWidth), float64(row*sampleUnit+i/sampleWidth)
		drawn.Y[i] = byte(128 + 60*math.Sin(x/9+y/31) + 30*math.Sin(y/5-x/40) + float64(random.IntN(24)))
	}
	for i := range drawn.Cb {
		drawn.Cb[i], drawn.Cr[i] = byte(120+i%sampleWidth/8), byte(140-row+random.IntN(4))
	}
	return drawn
}

// encodeSample encodes a row of units. It returns the data of the scan, and all before them as it has to be for
// the whole picture.
func encodeSample(drawn *image.YCbCr) (head, scan []byte) {
	const (
		scanHeader = 14 // bytes, with the marker
		heightAt   = 5  // behind the marker of the frame
		endBytes   = 2
	)
	var to bytes.Buffer
	_ = stdjpeg.Encode(&to, drawn, &stdjpeg.Options{Quality: 80}) // to memory
	stream := to.Bytes()
	frame := bytes.Index(stream, []byte{0xFF, byte(jpeg.MarkerFrame)})
	binary.BigEndian.PutUint16(stream[frame+heightAt:], sampleHeight)
	scanAt := bytes.Index(stream, []byte{0xFF, byte(jpeg.MarkerScan)})
	head = append(bytes.Clone(stream[:scanAt]), 0xFF, byte(jpeg.MarkerInterval), 0, 4, 0, sampleWidth/sampleUnit)
	head = append(head, stream[scanAt:scanAt+scanHeader]...)
	return head, stream[scanAt+scanHeader : len(stream)-endBytes]
}
