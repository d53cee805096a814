package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"text/tabwriter"
	"time"

	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/gpu"
	"tileserver/gpu/route"
	"tileserver/gpu/trial"
	"tileserver/gpu/webgpu"
)

// gpuOptions are the options of gpu.
type gpuOptions struct {
	memory  config.Size
	largest int
}

// gpu lists the GPUs of the machine, and tells for each what it makes of the program's kernels.
func (p *program) gpu(ctx context.Context, args []string) error {
	defaults := config.Default()
	o := gpuOptions{memory: defaults.GPUMemory}
	set := usage.Options("gpu")
	set.Func("gpu-memory", "`SIZE` Memory for two batches (default "+o.memory.String()+")", o.memory.Set)
	set.IntVar(&o.largest, "largest", 4096, "`N` Jobs of the largest batch; each one before has a quarter of that")
	arguments, err := p.parse(set, args)
	switch {
	case err != nil:
		return err
	case len(arguments) > 0:
		return usage.Mistakef("gpu takes no file")
	case o.largest < 1:
		return usage.Mistakef("--largest must be at least 1, not %d", o.largest)
	case !webgpu.IsBuilt:
		return usage.Unusablef("this program was built without GPUs; go build -tags gpu builds one with them")
	}
	for index := 0; ; index++ {
		err := p.reportGPU(ctx, index, &o, coresOf(defaults.Workers))
		if errors.Is(err, gpu.ErrNoDevice) && index > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// reportGPU prints what there is to know of a device.
func (p *program) reportGPU(ctx context.Context, index int, o *gpuOptions, cores int) error {
	d, err := newDevice(index, int64(o.memory), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer d.Close()
	adapter, err := d.Adapter(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "GPU %d: %s, %s, driver %s%s\n", index, adapter.Name, adapter.Backend, adapter.Driver, kindOf(adapter))
	fmt.Fprintf(p.stdout, "  %d MiB of memory at most for a batch, %d MiB for each of its buffers\n",
		adapter.Limits.BatchBytes>>20, adapter.Limits.BindingBytes>>20)
	for _, sample := range samples() {
		if err := reportKernel(ctx, p.stdout, d, sample, sizesUpTo(o.largest), cores); err != nil {
			return err
		}
	}
	return nil
}

func kindOf(a gpu.Adapter) string {
	if a.IsSoftware {
		return ", in software: it gets no work unless gpu is strict"
	}
	return ""
}

// sizesUpTo returns sizes of batches up to the largest.
func sizesUpTo(largest int) (sizes []int) {
	const times = 4
	for n := largest; n >= 64 || len(sizes) == 0; n /= times {
		sizes = append([]int{n}, sizes...)
	}
	return sizes
}

// reportKernel checks a device with one kernel, and prints what batches cost on it and on the cores.
func reportKernel(ctx context.Context, w io.Writer, device gpu.Executor, sample trial.Sample, sizes []int, cores int) error {
	name := sample.Kernel.Name
	results, err := trial.Run(ctx, device, sample, sizes)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(w, "  %s: every job as on the cores\n", name)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "jobs\twork\ton the GPU\tto read it\ton %d cores\tfaster by\t\n", cores)
	for _, r := range results {
		reading, onCores := r.Reading/time.Duration(cores), r.OnCore/time.Duration(cores)
		fasterBy := float64(onCores) / float64(r.OnDevice+reading)
		fmt.Fprintf(table, "%d\t%d\t%v\t%v\t%v\t%.2f\t\n", r.Jobs, r.Work,
			r.OnDevice.Round(time.Microsecond), reading.Round(time.Microsecond), onCores.Round(time.Microsecond), fasterBy)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	router := route.New(route.Auto, cores)
	router.SetCosts(name, trial.Costs(results))
	if even := router.Estimates()[0].BreakEven; even > 0 {
		largest := results[len(results)-1]
		jobs := math.Ceil(float64(even) / float64(largest.Work) * float64(largest.Jobs))
		fmt.Fprintf(w, "  The GPU is worth it from a work of %d on, which is that of %.0f such jobs.\n", even, jobs)
	} else {
		fmt.Fprintln(w, "  The GPU is worth it for none of these.")
	}
	return nil
}
