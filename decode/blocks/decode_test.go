package blocks

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"tileserver/decode"
	"tileserver/decode/pool"
	"tileserver/gpu"
)

// fakeCodec runs the given function for each job.
type fakeCodec struct{ decode func(job *Job) error }

func (c *fakeCodec) Decode(job *Job) error { return c.decode(job) }

// jobsNumbered returns jobs that carry their number in Rows.
func jobsNumbered(n int) []Job {
	jobs := make([]Job, n)
	for i := range jobs {
		jobs[i].Rows = i
	}
	return jobs
}

func TestDecodeFindsTheCodec(t *testing.T) {
	var decoded []int
	codecs := Registry{"fake": &fakeCodec{func(job *Job) error { decoded = append(decoded, job.Rows); return nil }}}
	workers := pool.New(pool.Config{Workers: 1})
	if _, err := codecs.Decode(t.Context(), workers, "other", jobsNumbered(1)); !errors.Is(err, decode.ErrUnsupported) || err.Error() != `compression "other": unsupported` {
		t.Errorf("got %v, want %v", err, decode.ErrUnsupported)
	}
	if corrupt, err := codecs.Decode(t.Context(), workers, "fake", jobsNumbered(3)); err != nil || len(corrupt) != 0 || fmt.Sprint(decoded) != "[0 1 2]" {
		t.Errorf("decoded %v, got %v and %v", decoded, corrupt, err)
	}
}

// fakeDevice is a device with free memory.
type fakeDevice struct{ gpu.None }

func (fakeDevice) FreeBytes() int64 { return 1 << 20 }

// fakeBatchCodec fails on the device for jobs with odd numbers.
type fakeBatchCodec struct {
	fakeCodec
	batched []int
}

func (c *fakeBatchCodec) DecodeBatch(_ context.Context, _ gpu.Executor, jobs []*Job) []error {
	errs := make([]error, len(jobs))
	for i, job := range jobs {
		c.batched = append(c.batched, job.Rows)
		if job.Rows%2 == 1 {
			errs[i] = decode.ErrCorruptBlock
		}
	}
	return errs
}

func TestDecodeGivesJobsToTheDevice(t *testing.T) {
	codec := new(fakeBatchCodec)
	var again []int
	codec.decode = func(job *Job) error { again = append(again, job.Rows); return nil }
	codecs, device := Registry{"fake": codec}, pool.New(pool.Config{Workers: 1, Device: fakeDevice{}})
	if _, err := codecs.Decode(t.Context(), device, "fake", jobsNumbered(4)); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(codec.batched) != "[0 1 2 3]" || fmt.Sprint(again) != "[1 3]" {
		t.Errorf("the device ran %v, the CPU %v, want all and [1 3]", codec.batched, again)
	}
	if got := device.Stats().Decoded; got != 4 {
		t.Errorf("counted %d blocks, want 4", got)
	}
	codec.decode = func(job *Job) error { return []error{1: nil, 3: decode.ErrCorruptBlock}[job.Rows] }
	corrupt, err := codecs.Decode(t.Context(), device, "fake", jobsNumbered(4))
	if err != nil || len(corrupt) != 1 || corrupt[0].Index != 3 || corrupt[0].Count != 4 {
		t.Errorf("got %v, %v, want that the last of 4 is corrupt", corrupt, err)
	}
}

func TestDecodeWithoutDeviceUsesCPU(t *testing.T) {
	codec, calls := new(fakeBatchCodec), 0
	codec.decode = func(*Job) error { calls++; return nil }
	if _, err := (Registry{"fake": codec}).Decode(t.Context(), pool.New(pool.Config{}), "fake", jobsNumbered(3)); err != nil {
		t.Fatal(err)
	}
	if len(codec.batched) != 0 || calls != 3 {
		t.Errorf("%d jobs went to no device, %d to the CPU, want 0 and 3", len(codec.batched), calls)
	}
}
