package blocks

import (
	"errors"
	"fmt"
	"testing"

	"tileserver/decode"
	"tileserver/decode/pool"
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
