package gpu_test

import (
	"encoding/binary"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tileserver/gpu"
)

var roomy = gpu.Limits{BindingBytes: 1 << 20, BatchBytes: 1 << 22}

// idle is a kernel without steps.
var idle = &gpu.Kernel{Name: "idle", Steps: func([]gpu.Job) []gpu.Step { return nil }}

// words reads numbers as a device does.
func words(b []byte) (words []uint32) {
	for ; len(b) > 0; b = b[4:] {
		words = append(words, binary.LittleEndian.Uint32(b))
	}
	return words
}

func TestRecordsSayWhereTheMemoryOfJobsIs(t *testing.T) {
	jobs := []gpu.Job{
		{Parameters: [8]uint32{7, 8}, Input: 3, Output: 10, Scratch: 1},
		{Parameters: [8]uint32{9}, Output: 4},
		{Input: 5, Output: 3, Scratch: 8},
	}
	layout, err := gpu.LayOut(jobs, roomy)
	if err != nil {
		t.Fatal(err)
	}
	if layout.Jobs() != 3 || layout.InputBytes != 4+8 || layout.OutputBytes != 3*4+12+4+4 || layout.ScratchBytes != 4+8 {
		t.Errorf("the layout is %+v", layout)
	}
	if shared := layout.RecordBytes() + 12 + 32; layout.SharedBytes() != shared || layout.Bytes() != shared+12 {
		t.Errorf("%d bytes are shared of %d, want %d of %d", layout.SharedBytes(), layout.Bytes(), shared, shared+12)
	}
	b := gpu.NewBatch(idle, jobs, layout, make([]byte, layout.SharedBytes()))
	want := []uint32{
		0, 3, 3, 0, 7, 8, 0, 0, 0, 0, 0, 0,
		1, 0, 6, 1, 9, 0, 0, 0, 0, 0, 0, 0,
		1, 5, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0,
	}
	if got := words(b.Records); !slices.Equal(got, want) {
		t.Errorf("the records are\n%v, want\n%v", got, want)
	}
}

func TestJobsHaveMemoryOfTheirOwn(t *testing.T) {
	jobs := []gpu.Job{{Input: 3, Output: 10}, {}, {Input: 5, Output: 3}}
	layout, err := gpu.LayOut(jobs, roomy)
	if err != nil {
		t.Fatal(err)
	}
	b := gpu.NewBatch(idle, jobs, layout, make([]byte, layout.SharedBytes()))
	for i := range jobs {
		if len(b.InputOf(i)) != int(jobs[i].Input) || len(b.OutputOf(i)) != int(jobs[i].Output) {
			t.Fatalf("job %d has %d bytes in and %d out", i, len(b.InputOf(i)), len(b.OutputOf(i)))
		}
		fill(b.InputOf(i), byte(i+1))
		fill(b.OutputOf(i), byte(i+1))
		binary.LittleEndian.PutUint32(b.Output[4*i:], uint32(i+10))
	}
	for i := range jobs {
		if others := slices.ContainsFunc(slices.Concat(b.InputOf(i), b.OutputOf(i)), func(v byte) bool { return v != byte(i+1) }); others {
			t.Errorf("job %d shares its memory: %v and %v", i, b.InputOf(i), b.OutputOf(i))
		}
		if b.Status(i) != uint32(i+10) {
			t.Errorf("job %d has the status %d", i, b.Status(i))
		}
	}
	if first := b.InputOf(0); cap(first) != len(first) {
		t.Errorf("an input of %d bytes can grow to %d", len(first), cap(first))
	}
}

func fill(b []byte, with byte) {
	for i := range b {
		b[i] = with
	}
}

func TestBatchIsRefusedBeforeItIsAllocated(t *testing.T) {
	for name, jobs := range map[string][]gpu.Job{
		"an input over the limit":  {{Input: 1 << 20}},
		"outputs over the limit":   {{Output: 1 << 19}, {Output: 1 << 19}},
		"a sum that overflows":     {{Scratch: math.MaxInt64 - 8}, {Scratch: math.MaxInt64 - 8}},
		"a negative size":          {{Input: -1}},
		"buffers over their total": {{Input: 1 << 19, Output: 1 << 19, Scratch: 1 << 19}},
		"many jobs":                make([]gpu.Job, 1<<20),
	} {
		limits := gpu.Limits{BindingBytes: 1 << 20, BatchBytes: 1 << 20}
		if _, err := gpu.LayOut(jobs, limits); !errors.Is(err, gpu.ErrTooLarge) {
			t.Errorf("%s: got the error %v, want %v", name, err, gpu.ErrTooLarge)
		}
	}
	if _, err := gpu.LayOut([]gpu.Job{{Input: 1 << 19, Output: 1 << 19, Scratch: 1 << 19}}, roomy); err != nil {
		t.Errorf("what fits is refused: %v", err)
	}
}

func TestTheHeaderHasAFieldForEachWordOfARecord(t *testing.T) {
	header := gpu.Header([8]string{2: "third", 7: "last"})
	record, _, _ := strings.Cut(header[strings.Index(header, "struct Job {"):], "}")
	want := []string{"input", "inputBytes", "output", "scratch", "unused0", "unused1", "third", "unused3", "unused4", "unused5", "unused6", "last"}
	var got []string
	for _, field := range regexp.MustCompile(`(\w+): u32,`).FindAllStringSubmatch(record, -1) {
		got = append(got, field[1])
	}
	if !slices.Equal(got, want) || len(got) != gpu.RecordWords {
		t.Errorf("a record of %d words has the fields %v, want %v", gpu.RecordWords, got, want)
	}
}
