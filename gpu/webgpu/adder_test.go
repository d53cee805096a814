//go:build gpu && cgo

package webgpu_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/gpu"
)

// adder adds its parameter to each word of a job, once in each of three steps. It counts the steps in scratch
// memory, which begins as zeros as the output does.
var adder = &gpu.Kernel{Name: "adder", Source: adderSource, Steps: func(jobs []gpu.Job) []gpu.Step {
	return slices.Repeat([]gpu.Step{{Entry: "add", Groups: uint32(len(jobs))}}, addSteps)
}}

const (
	addSteps = 3
	addBody  = `
@compute @workgroup_size(1)
fn add(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
	let i = groupNumber(id, count);
	if (i >= arrayLength(&jobs)) {
		return;
	}
	let job = &jobs[i];
	let first = (*job).output;
	for (var word = 0u; word < (*job).inputBytes / 4u; word++) {
		if (scratch[(*job).scratch] == 0u) {
			output[first + word] += input[(*job).input + word];
		}
		output[first + word] += (*job).summand;
	}
	scratch[(*job).scratch] += 1u;
	output[i] += scratch[(*job).scratch];
}
`
)

var adderSource = gpu.Header([8]string{"summand"}) + addBody

// sums are jobs of adder and what they must give.
type sums struct {
	jobs   []gpu.Job
	inputs [][]byte
	want   [][]uint32
}

func newSums(seed uint64, count int) *sums {
	random := rand.New(rand.NewPCG(seed, 17))
	s := &sums{}
	for range count {
		words, add := random.IntN(40), random.Uint32()
		input, want := make([]byte, 4*words), make([]uint32, words)
		for i := range want {
			v := random.Uint32()
			binary.LittleEndian.PutUint32(input[4*i:], v)
			want[i] = v + addSteps*add
		}
		s.jobs = append(s.jobs, gpu.Job{
			Parameters: [8]uint32{add}, Input: int64(4 * words), Output: int64(4 * words), Scratch: 4,
		})
		s.inputs, s.want = append(s.inputs, input), append(s.want, want)
	}
	return s
}

// check compares what a batch gave. Each of the steps adds its number to the status.
func (s *sums) check(t *testing.T, b *gpu.Batch) {
	t.Helper()
	for i, want := range s.want {
		if got := words(b.OutputOf(i)); !slices.Equal(got, want) {
			t.Fatalf("job %d of %d gave %v, want %v", i, len(s.want), got, want)
		}
		if b.Status(i) != 1+2+3 {
			t.Fatalf("job %d of %d has the status %d", i, len(s.want), b.Status(i))
		}
	}
}

func words(b []byte) (words []uint32) {
	for ; len(b) > 0; b = b[4:] {
		words = append(words, binary.LittleEndian.Uint32(b))
	}
	return words
}
