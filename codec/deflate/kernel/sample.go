package kernel

import (
	"bytes"
	"compress/zlib"
	"errors"
	"math/rand/v2"

	"tileserver/codec/deflate/decoder"
	"tileserver/gpu"
	"tileserver/gpu/trial"
)

// sampleBytes is what a stream of a sample holds: a block of 256×128 pixels of 16 bits.
const sampleBytes = 256 * 128 * 2

// Sample returns typical streams: heights after the predictor, of which the high bytes are mostly 0. A few of
// them make all jobs.
func Sample(jobs int) trial.Work {
	s := &sample{jobs: make([]gpu.Job, jobs)}
	for i := range s.streams {
		s.streams[i] = sampleStream(uint64(i))
	}
	for i := range jobs {
		s.jobs[i], _ = JobOf(s.streams[i%few], sampleBytes) // they are sound
	}
	return s
}

// sampleStream returns one of the streams.
func sampleStream(seed uint64) []byte {
	random, data := rand.New(rand.NewPCG(seed, 1)), make([]byte, sampleBytes)
	for i := 0; i < len(data); i += 2 {
		if difference := random.IntN(40) - random.IntN(20) - random.IntN(20); difference < 0 {
			data[i], data[i+1] = byte(difference), 0xFF
		} else {
			data[i] = byte(difference)
		}
	}
	var to bytes.Buffer
	w := zlib.NewWriter(&to)
	_, _ = w.Write(data) // to memory
	_ = w.Close()
	return to.Bytes()
}

// sample is streams as work for a trial.
type sample struct {
	jobs    []gpu.Job
	streams [few][]byte
	onCore  [few][sampleBytes]byte // what a core made of each
	read    [sampleBytes]byte      // what the device made of one
	decoder decoder.Decoder
}

const few = 8

func (s *sample) Kernel() *gpu.Kernel         { return Inflate }
func (s *sample) Jobs() []gpu.Job             { return s.jobs }
func (s *sample) Write(job int, input []byte) { Write(s.streams[job%few], input) }

// Do decompresses a stream.
func (s *sample) Do(job int) { _, _ = s.decoder.Zlib(s.onCore[job%few][:], s.streams[job%few]) }

// Read reads what a device has decompressed.
func (s *sample) Read(job int, status uint32, output []byte) error {
	return Read(s.streams[job%few], status, output, s.read[:])
}

var errOtherBytes = errors.New("other bytes")

// Check compares what a device and a core have decompressed.
func (s *sample) Check(job int) error {
	if s.read != s.onCore[job%few] {
		return errOtherBytes
	}
	return nil
}
