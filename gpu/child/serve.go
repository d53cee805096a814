package child

import (
	"errors"
	"fmt"
	"io"
	"os"

	"tileserver/gpu"
)

// Connection is what a child has of its parent.
type Connection struct {
	Requests io.Reader
	Replies  io.Writer
	Slots    []*os.File // shared memory
}

// The files that a child inherits beside its standard streams.
const (
	repliesFile = 3
	firstSlot   = 4
)

// Inherited returns the connection of this process, if it is a child.
func Inherited() (Connection, error) {
	c := Connection{Requests: os.Stdin, Replies: os.NewFile(repliesFile, "replies")}
	for i := range slots {
		slot := os.NewFile(uintptr(firstSlot+i), "slot")
		if info, err := slot.Stat(); err != nil || !info.Mode().IsRegular() {
			return Connection{}, errors.New("this process is no child of a server")
		}
		c.Slots = append(c.Slots, slot)
	}
	return c, nil
}

// Serve opens a device and runs batches on it, one after the other, until the requests end. An error ends
// it, and is the last reply: what a device does after one cannot be trusted.
func Serve(c Connection, kernels []*gpu.Kernel, open func() (gpu.Runner, error)) error {
	err := serve(c, kernels, open)
	if err != nil {
		_ = send(c.Replies, reply{Error: clipped(err.Error()), NoDevice: errors.Is(err, gpu.ErrNoDevice)}) // the parent may have ended
	}
	return err
}

// maxErrorBytes bounds the text of an error in a reply.
const maxErrorBytes = 4 << 10

func clipped(text string) string { return text[:min(len(text), maxErrorBytes)] }

func send(to io.Writer, r reply) error {
	line, err := encode(r)
	if err == nil {
		_, err = to.Write(line)
	}
	return err
}

func serve(c Connection, kernels []*gpu.Kernel, open func() (gpu.Runner, error)) (err error) {
	runner, err := open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	w := worker{runner: runner, limits: runner.Adapter().Limits, kernels: make(map[string]*gpu.Kernel)}
	for _, kernel := range kernels {
		w.kernels[kernel.Name] = kernel
	}
	defer w.unmap()
	if err := w.mapSlots(c.Slots); err != nil {
		return err
	}
	adapter := runner.Adapter()
	if err := send(c.Replies, reply{Adapter: &adapter}); err != nil {
		return err
	}
	return w.work(c)
}

// worker does what requests ask for.
type worker struct {
	runner  gpu.Runner
	limits  gpu.Limits
	kernels map[string]*gpu.Kernel
	slots   [][]byte
}

func (w *worker) mapSlots(files []*os.File) error {
	for _, file := range files {
		info, err := file.Stat()
		if err != nil {
			return err
		}
		memory, err := mapShared(file, info.Size())
		if err != nil {
			return fmt.Errorf("shared memory: %w", err)
		}
		w.slots = append(w.slots, memory)
	}
	return nil
}

func (w *worker) unmap() {
	for _, memory := range w.slots {
		unmapShared(memory)
	}
}

func (w *worker) work(c Connection) error {
	requests := messages(c.Requests)
	for {
		var r request
		err := receive(requests, &r)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err == nil && r.FreeMemory:
			w.runner.FreeMemory()
			continue
		case err == nil:
			err = w.run(&r)
		}
		if err == nil {
			err = send(c.Replies, reply{Done: r.Batch})
		}
		if err != nil {
			return err
		}
	}
}

// run runs the batch of a request.
func (w *worker) run(r *request) error {
	kernel := w.kernels[r.Kernel]
	if kernel == nil {
		return fmt.Errorf("no kernel is called %.40q", r.Kernel)
	}
	if r.Slot < 0 || r.Slot >= len(w.slots) {
		return fmt.Errorf("there is no slot %d", r.Slot)
	}
	buffers, err := r.buffers(w.slots[r.Slot], w.limits)
	if err != nil {
		return err
	}
	return w.runner.Run(kernel, r.Steps, buffers)
}

// buffers returns the buffers of a batch in the memory of its slot.
func (r *request) buffers(memory []byte, limits gpu.Limits) (gpu.Buffers, error) {
	left := limits.BatchBytes
	for _, bytes := range []int64{r.Records, r.Input, r.Output, r.Scratch} {
		if bytes < 0 || bytes%4 != 0 || bytes > min(limits.BindingBytes, left) {
			return gpu.Buffers{}, fmt.Errorf("a buffer of %d bytes, of at most %d: %w", bytes, min(limits.BindingBytes, left), gpu.ErrTooLarge)
		}
		left -= bytes
	}
	input, output := r.Records, r.Records+r.Input
	end := output + r.Output
	if end > int64(len(memory)) {
		return gpu.Buffers{}, fmt.Errorf("%d bytes in a slot of %d: %w", end, len(memory), gpu.ErrTooLarge)
	}
	return gpu.Buffers{
		Records: memory[:input:input], Input: memory[input:output:output], Output: memory[output:end:end],
		ScratchBytes: r.Scratch,
	}, nil
}
