package kernel

import (
	"bytes"
	"compress/zlib"
	"math/rand/v2"

	"tileserver/codec/deflate/decoder"
	"tileserver/gpu"
	"tileserver/gpu/trial"
)

// sampleBytes is what a stream of a sample holds: a block of 256×128 pixels of 16 bits.
const sampleBytes = 256 * 128 * 2

// Sample returns typical streams: heights after the predictor, of which the high bytes are mostly 0.
func Sample(jobs int) trial.Work {
	var decoder decoder.Decoder
	return trial.Items[[]byte, byte]{
		Kernel: Inflate, Few: sampleStreams(),
		Job: func(stream []byte) gpu.Job {
			job, _ := JobOf(stream, sampleBytes) // it is sound
			return job
		},
		Size:  func([]byte) int { return sampleBytes },
		Write: Write,
		Do:    func(stream, holds []byte) { _, _ = decoder.Zlib(holds, stream) },
		Read:  Read,
	}.Work(jobs)
}

// sampleStreams returns the streams.
func sampleStreams() (few [][]byte) {
	for seed := range uint64(8) {
		few = append(few, sampleStream(seed))
	}
	return few
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
