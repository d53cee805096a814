package components

import (
	"math/rand/v2"
	"sync"
	"testing"

	"tileserver/gpu"
)

// BenchmarkReadFromDevice measures what a core does of a code-block that a device has decoded.
func BenchmarkReadFromDevice(b *testing.B) {
	block := throughputBlock(64, 64, 9, 1)
	for name, halved := range map[string]bool{"reversible": true, "irreversible": false} {
		block.halved = halved
		part := newDecodeJob([]codeBlock{block}, new(sync.Pool)).ForDevice()
		output, random := make([]byte, part.Jobs()[0].Output), rand.New(rand.NewPCG(1, 2))
		for i := 0; i < len(output); i += 2 {
			output[i], output[i+1] = byte(random.Uint32()), byte(random.IntN(3)-1)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(output)))
			for b.Loop() {
				if err := part.Read(0, gpu.Done, output); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
