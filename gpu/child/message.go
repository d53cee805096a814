package child

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"tileserver/gpu"
)

// request is a message to the child: a batch to run, or the wish that it frees memory.
type request struct {
	Batch  uint64     `json:",omitempty"` // its number, from 1
	Slot   int        `json:",omitempty"`
	Kernel string     `json:",omitempty"`
	Steps  []gpu.Step `json:",omitempty"`

	// The bytes of its buffers. The first three lie in the slot, in this order.
	Records, Input, Output, Scratch int64

	FreeMemory bool `json:",omitempty"` // there is nothing to do for the time being
}

// reply is a message of the child.
type reply struct {
	Adapter *gpu.Adapter `json:",omitempty"` // the first reply: the device is open
	Done    uint64       `json:",omitempty"` // the number of a batch whose output is written

	// Error is why the child ends, in its last reply.
	Error    string `json:",omitempty"`
	NoDevice bool   `json:",omitempty"`
}

// maxMessageBytes bounds a message. Steps take most of it, some thirty bytes each.
const maxMessageBytes = 1 << 20

// encode returns a message as it is sent: a line of JSON.
func encode(message any) ([]byte, error) {
	line, err := json.Marshal(message)
	if err == nil && len(line) >= maxMessageBytes {
		err = fmt.Errorf("a message of %d bytes, of at most %d", len(line), maxMessageBytes)
	}
	return append(line, '\n'), err
}

// messages returns what splits a stream into messages.
func messages(stream io.Reader) *bufio.Scanner {
	scanner := bufio.NewScanner(stream)
	scanner.Buffer(nil, maxMessageBytes)
	return scanner
}

// receive reads the next message. It returns io.EOF at the end of the stream.
func receive(from *bufio.Scanner, message any) error {
	if !from.Scan() {
		if err := from.Err(); err != nil {
			return err
		}
		return io.EOF
	}
	return decode(from.Bytes(), message)
}

func decode(line []byte, message any) error {
	if err := json.Unmarshal(line, message); err != nil {
		return fmt.Errorf("%.80q is no message: %w", line, err)
	}
	return nil
}
