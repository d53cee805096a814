package submission

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tileserver/gpu"
)

// Runner is a gpu.Runner on a device.
type Runner struct {
	device    Device
	adapter   gpu.Adapter
	maxGroups uint32
	patience  time.Duration

	memory    memory
	pipelines map[program]Pipeline
	hung      error // why nothing runs any more
}

// Config configures a Runner.
type Config struct {
	Adapter   gpu.Adapter // with the limits of a buffer; the Runner knows those of a batch
	MaxGroups uint32      // workgroups in one direction

	Budget   int64         // bytes on the device
	Patience time.Duration // after which a submission is given up
}

// program identifies a pipeline.
type program struct{ source, entry string }

// NewRunner returns a Runner. It owns the device from now on.
func NewRunner(device Device, config Config) *Runner {
	r := &Runner{
		device: device, adapter: config.Adapter, maxGroups: config.MaxGroups, patience: config.Patience,
		memory:    memory{device: device, budget: config.Budget, maxBuffer: config.Adapter.Limits.BindingBytes},
		pipelines: make(map[program]Pipeline),
	}
	r.adapter.Limits.BatchBytes = max(config.Budget/copies-roles*gpu.WordBytes, 0)
	return r
}

var _ gpu.Runner = (*Runner)(nil)

// Adapter describes the device.
func (r *Runner) Adapter() gpu.Adapter { return r.adapter }

// Run runs the steps of a batch. A device that does not finish in time may still write to its memory, so
// nothing runs on it after that.
func (r *Runner) Run(kernel *gpu.Kernel, steps []gpu.Step, buffers gpu.Buffers) error {
	if r.hung != nil {
		return r.hung
	}
	if len(buffers.Records) == 0 {
		clear(buffers.Output)
		return nil
	}
	if err := r.run(kernel, steps, buffers); err != nil {
		return fmt.Errorf("kernel %s: %w", kernel.Name, err)
	}
	return nil
}

func (r *Runner) run(kernel *gpu.Kernel, steps []gpu.Step, buffers gpu.Buffers) error {
	sizes, err := r.memory.sizesOf(buffers)
	if err != nil {
		return err
	}
	dispatches, err := r.dispatches(kernel, steps)
	if err != nil {
		return err
	}
	if err := r.memory.reserve(sizes); err != nil {
		return err
	}
	if err := r.submit(sizes, dispatches, buffers); err != nil {
		return err
	}
	return r.await(buffers.Output)
}

// dispatches compiles the entries of the steps that are new.
func (r *Runner) dispatches(kernel *gpu.Kernel, steps []gpu.Step) ([]Dispatch, error) {
	dispatches := make([]Dispatch, len(steps))
	for i, step := range steps {
		pipeline, err := r.pipeline(program{kernel.Source, step.Entry})
		if err != nil {
			return nil, fmt.Errorf("entry %q: %w", step.Entry, err)
		}
		columns, rows := grid(step.Groups, r.maxGroups)
		dispatches[i] = Dispatch{pipeline, columns, rows}
	}
	return dispatches, nil
}

// grid arranges workgroups in as few rows as there must be.
func grid(groups, maxColumns uint32) (columns, rows uint32) {
	rows = max(groups/maxColumns+min(groups%maxColumns, 1), 1)
	return groups/rows + min(groups%rows, 1), rows
}

func (r *Runner) pipeline(p program) (Pipeline, error) {
	if pipeline, compiled := r.pipelines[p]; compiled {
		return pipeline, nil
	}
	pipeline, err := r.device.NewPipeline(p.source, p.entry)
	if err != nil {
		return nil, err
	}
	r.pipelines[p] = pipeline
	return pipeline, nil
}

// submit uploads a batch and hands it to the device.
func (r *Runner) submit(sizes sizes, dispatches []Dispatch, buffers gpu.Buffers) error {
	if err := r.memory.buffers[records].Write(buffers.Records); err != nil {
		return err
	}
	if err := r.memory.buffers[input].Write(buffers.Input); err != nil {
		return err
	}
	commands := &Commands{Dispatches: dispatches}
	for role := range commands.Bindings {
		commands.Bindings[role] = Range{r.memory.buffers[role], sizes[role]}
	}
	commands.From, commands.To = commands.Bindings[output], Range{r.memory.buffers[landing], sizes[landing]}
	commands.Clear = commands.Bindings[output : scratch+1]
	return r.device.Submit(commands)
}

// await waits for the output.
func (r *Runner) await(into []byte) error {
	slow := fmt.Errorf("the GPU did not finish within %v", r.patience)
	ctx, cancel := context.WithTimeoutCause(context.Background(), r.patience, slow)
	defer cancel()
	err := r.memory.buffers[landing].Read(ctx, into)
	if errors.Is(err, slow) {
		r.hung = err
	}
	return err
}

// FreeMemory gives the memory of the device back. The next batch allocates it again.
func (r *Runner) FreeMemory() {
	if r.hung == nil {
		r.memory.release()
	}
}

// Close gives everything of the device back. What a device that hangs still uses ends with the process.
func (r *Runner) Close() error {
	if r.hung != nil {
		return r.hung
	}
	r.memory.release()
	for _, pipeline := range r.pipelines {
		pipeline.Release()
	}
	r.device.Close()
	return nil
}
