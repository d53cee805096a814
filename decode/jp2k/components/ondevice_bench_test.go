package components

import (
	"math/rand/v2"
	"sync"
	"testing"

	"tileserver/gpu"
)

// BenchmarkReadFromDevice measures what a core does of a code-block that a device has decoded.
func BenchmarkReadFromDevice(b *testing.B) {
	for _, test := range []struct {
		name   string
		bits   int
		halved bool
	}{{"reversible", 9, true}, {"irreversible", 9, false}, {"few bits", 6, false}} {
		block := throughputBlock(64, 64, test.bits, 1)
		block.halved = test.halved
		part := newDecodeJob([]codeBlock{block}, new(sync.Pool)).ForDevice()
		output, random := make([]byte, part.Jobs()[0].Output), rand.New(rand.NewPCG(1, 2))
		for i := 0; i < len(output); i += 2 {
			output[i], output[i+1] = byte(random.Uint32()), byte(random.IntN(3)-1)
		}
		b.Run(test.name, func(b *testing.B) {
			b.SetBytes(int64(len(output)))
			for b.Loop() {
				if err := part.Read(0, gpu.Done, output); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
