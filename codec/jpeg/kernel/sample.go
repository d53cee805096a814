package kernel

import (
	"bytes"
	"encoding/binary"
	"errors"
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

// Sample returns typical pictures: photographs with a restart marker after each row of units. A few of them
// make all jobs.
func Sample(jobs int) trial.Work {
	s := &sample{jobs: make([]gpu.Job, jobs), read: samplePicture()}
	for i := range s.streams {
		s.streams[i], s.onCore[i] = sampleStream(uint64(i)), samplePicture()
	}
	for i := range jobs {
		intervals := s.open(i)
		s.jobs[i], _ = JobOf(&intervals) // they are small
	}
	return s
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

// sample is pictures as work for a trial.
type sample struct {
	jobs    []gpu.Job
	streams [few][]byte
	onCore  [few]*decoder.Picture[uint8] // what a core made of each
	read    *decoder.Picture[uint8]
	decoder decoder.Decoder
}

const few = 8

func (s *sample) Kernel() *gpu.Kernel { return Intervals }
func (s *sample) Jobs() []gpu.Job     { return s.jobs }

// open opens a stream, which is sound.
func (s *sample) open(job int) decoder.Intervals {
	_, _ = s.decoder.Open(s.streams[job%few], nil)
	intervals, _ := s.decoder.Intervals(sampleHeight)
	return intervals
}

func (s *sample) Write(job int, input []byte) {
	intervals := s.open(job)
	Write(&intervals, input)
}

// Do decodes a picture.
func (s *sample) Do(job int) {
	s.open(job)
	_ = s.decoder.Decode8(s.onCore[job%few])
}

func samplePicture() *decoder.Picture[uint8] {
	p := &decoder.Picture[uint8]{Width: sampleWidth, Height: sampleHeight, RGB: true}
	for i := range 3 {
		p.Planes[i] = make([]uint8, sampleWidth*sampleHeight)
	}
	return p
}

// Read makes the picture of what a device has decoded.
func (s *sample) Read(job int, status uint32, output []byte) error {
	samples, err := Samples(status, output)
	if err != nil {
		return err
	}
	s.open(job)
	return s.decoder.Compose8(s.read, samples)
}

var errOtherPixels = errors.New("other pixels")

// Check compares the pictures of a device and a core.
func (s *sample) Check(job int) error {
	for i, plane := range s.read.Planes {
		if !bytes.Equal(plane, s.onCore[job%few].Planes[i]) {
			return errOtherPixels
		}
	}
	return nil
}
