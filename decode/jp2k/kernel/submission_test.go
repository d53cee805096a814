package kernel

import (
	"context"
	"testing"
	"time"

	"tileserver/gpu"
	"tileserver/gpu/submission"
)

// recorder is a device that counts what it is asked for, and computes nothing.
type recorder struct{ buffers, submissions, waits int }

func (r *recorder) NewBuffer(int64, submission.Use) (submission.Buffer, error) {
	r.buffers++
	return r, nil
}

func (r *recorder) NewPipeline(string, string) (submission.Pipeline, error) { return r, nil }

func (r *recorder) Submit(*submission.Commands) error {
	r.submissions++
	return nil
}

func (r *recorder) Read(context.Context, []byte) error {
	r.waits++
	return nil
}

func (r *recorder) Write([]byte) error { return nil }
func (r *recorder) Release()           {}
func (r *recorder) Close()             {}

// However many tiles a batch has, it is one submission and one wait, and steps are not more than those of the
// tile that takes the most.
func TestABatchOfTilesIsOneSubmission(t *testing.T) {
	most := 0
	for _, n := range []int{1, 7, 500} {
		device := new(recorder)
		runner := submission.NewRunner(device, submission.Config{
			Adapter: gpu.Adapter{Limits: gpu.Limits{BindingBytes: 1 << 28}}, MaxGroups: 65535, Budget: 1 << 30, Patience: time.Minute,
		})
		var jobs []gpu.Job
		for _, tile := range makeTiles(n) {
			job, err := JobOf(tile)
			if err != nil {
				t.Fatal(err)
			}
			jobs = append(jobs, job)
			most = max(most, len(steps([]gpu.Job{job})))
		}
		layout, err := gpu.LayOut(jobs, runner.Adapter().Limits)
		if err != nil {
			t.Fatal(err)
		}
		b := gpu.NewBatch(Tiles, jobs, layout, make([]byte, layout.SharedBytes()))
		err = runner.Run(Tiles, b.Steps, gpu.Buffers{Records: b.Records, Input: b.Input, Output: b.Output, ScratchBytes: b.ScratchBytes})
		if err != nil || *device != (recorder{buffers: 5, submissions: 1, waits: 1}) {
			t.Errorf("%d tiles: %+v and the error %v", n, *device, err)
		}
		if len(b.Steps) > most {
			t.Errorf("%d tiles take %d steps, and one of them at most %d", n, len(b.Steps), most)
		}
	}
}
