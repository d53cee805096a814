package submission

import (
	"fmt"
	"math/bits"

	"tileserver/gpu"
)

// The roles of buffers in a batch. The first four have the numbers of their bindings.
const (
	records = iota
	input
	output
	scratch
	landing
	roles
)

var uses = [roles]Use{records: Upload, input: Upload, output: Working, scratch: Working, landing: Landing}

// copies is how often a byte of a batch is at most on the device: drivers keep what is uploaded in memory
// of their own until it is copied, and the output is copied to the landing.
const copies = 2

// sizes are the bytes of the buffers of a batch.
type sizes [roles]int64

// total returns the bytes on the device, with what drivers keep of uploads.
func (s sizes) total() int64 {
	sum := s[records] + s[input]
	for _, bytes := range s {
		sum += bytes
	}
	return sum
}

// memory is the memory of the device, one buffer for each role. Buffers stay for the next batch. Drivers
// may promise more memory than they have, so it has a budget of its own.
type memory struct {
	device    Device
	budget    int64
	maxBuffer int64

	buffers [roles]Buffer
	sizes   sizes // of the buffers; 0 where there is none
}

// sizesOf returns the sizes for a batch, unless the device has no room for it.
func (m *memory) sizesOf(b gpu.Buffers) (sizes, error) {
	s := sizes{int64(len(b.Records)), int64(len(b.Input)), int64(len(b.Output)), b.ScratchBytes, int64(len(b.Output))}
	for i, bytes := range s {
		if bytes < 0 || bytes%gpu.WordBytes != 0 {
			return s, fmt.Errorf("a buffer of %d bytes", bytes)
		}
		if bytes > m.maxBuffer {
			return s, fmt.Errorf("a buffer of %d bytes, of at most %d: %w", bytes, m.maxBuffer, gpu.ErrTooLarge)
		}
		s[i] = max(bytes, gpu.WordBytes) // no binding is empty
	}
	if total := s.total(); total > m.budget {
		return s, fmt.Errorf("a batch of %d bytes on the GPU, of at most %d: %w", total, m.budget, gpu.ErrTooLarge)
	}
	return s, nil
}

// reserve makes all buffers at least as large as needed.
func (m *memory) reserve(need sizes) error {
	wanted := m.plan(need)
	for role := range wanted {
		if m.sizes[role] != wanted[role] {
			m.drop(role)
		}
	}
	for role, bytes := range wanted {
		if err := m.fill(role, bytes); err != nil {
			return err
		}
	}
	return nil
}

// plan returns the sizes that the buffers shall have. Those that are large enough stay, and new ones have
// room to spare, unless the budget is too small for that.
func (m *memory) plan(need sizes) sizes {
	roomy := need
	for role, bytes := range need {
		if roomy[role] = m.sizes[role]; roomy[role] < bytes {
			roomy[role] = min(sizeClass(bytes), m.maxBuffer)
		}
	}
	if roomy.total() > m.budget {
		return need
	}
	return roomy
}

// sizeClass returns one of few sizes, at most a quarter above the given one or 64 KiB.
func sizeClass(bytes int64) int64 {
	bytes = max(bytes, 64<<10)
	step := int64(1) << (bits.Len64(uint64(bytes-1)) - 3)
	return (bytes + step - 1) / step * step
}

// fill allocates the buffer of a role, if it has none.
func (m *memory) fill(role int, bytes int64) (err error) {
	if m.buffers[role] != nil {
		return nil
	}
	if m.buffers[role], err = m.device.NewBuffer(bytes, uses[role]); err != nil {
		m.buffers[role] = nil
		return fmt.Errorf("a buffer of %d bytes: %w", bytes, err)
	}
	m.sizes[role] = bytes
	return nil
}

// drop releases the buffer of a role.
func (m *memory) drop(role int) {
	if m.buffers[role] != nil {
		m.buffers[role].Release()
		m.buffers[role], m.sizes[role] = nil, 0
	}
}

func (m *memory) release() {
	for role := range m.buffers {
		m.drop(role)
	}
}
