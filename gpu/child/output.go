package child

import (
	"strings"
	"sync"
)

// output keeps the end of what a child prints, since drivers say there why they fail.
type output struct {
	mu   sync.Mutex
	tail []byte
}

const maxOutputBytes = 2 << 10

// Write appends to the output.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail = append(o.tail, b[max(len(b)-maxOutputBytes, 0):]...)
	o.tail = o.tail[max(len(o.tail)-maxOutputBytes, 0):]
	return len(b), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.TrimSpace(string(o.tail))
}
