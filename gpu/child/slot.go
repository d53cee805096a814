package child

import (
	"fmt"
	"os"

	"tileserver/gpu"
)

// slots is how many batches have memory at a time: while the device works on one, the next is written.
const slots = 2

// slot is memory that is shared with the child, for one batch at a time. Its pages are taken as batches
// write to them.
type slot struct {
	index  int
	file   *os.File
	memory []byte

	// The process that got the batch, and its work on it. They are nil before Run.
	process *process
	work    *work
}

// newSlots returns all slots of a device.
func newSlots(bytes int64) (made []*slot, err error) {
	for i := range slots {
		s, err := newSlot(i, bytes)
		if err != nil {
			for _, s := range made {
				s.close()
			}
			return nil, fmt.Errorf("shared memory: %w", err)
		}
		made = append(made, s)
	}
	return made, nil
}

func newSlot(index int, bytes int64) (*slot, error) {
	file, err := newShared(bytes)
	if err != nil {
		return nil, err
	}
	memory, err := mapShared(file, bytes)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &slot{index: index, file: file, memory: memory}, nil
}

// submit gives a batch to a child.
func (s *slot) submit(to *process, batch *gpu.Batch) (err error) {
	r := request{
		Slot: s.index, Kernel: batch.Kernel.Name, Steps: batch.Steps,
		Records: int64(len(batch.Records)), Input: int64(len(batch.Input)), Output: int64(len(batch.Output)), Scratch: batch.ScratchBytes,
	}
	s.process = to
	s.work, err = to.submit(r)
	return err
}

// isIdle reports whether nothing uses the memory: the child has answered, or is no more.
func (s *slot) isIdle() bool {
	return s.work == nil || isClosed(s.work.answered) || isClosed(s.process.exited)
}

// wait returns when the slot is idle.
func (s *slot) wait() {
	select {
	case <-s.work.answered:
	case <-s.process.exited:
	}
}

// discard gives the pages back.
func (s *slot) discard() { _ = discard(s.file, s.memory) } // else they stay

func (s *slot) close() {
	unmapShared(s.memory)
	s.file.Close()
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
