//go:build unix

package child_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tileserver/gpu"
	"tileserver/gpu/child"
	"tileserver/gpu/gputest"
)

// behavior is the variable that makes the program of the tests a child. It says how the child behaves.
const behavior = "TILESERVER_TEST_CHILD"

func TestMain(m *testing.M) {
	behave := os.Getenv(behavior)
	if behave == "" {
		os.Exit(m.Run())
	}
	if err := behaviors[behave](); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// behaviors are what children do.
var behaviors = map[string]func() error{
	"works": func() error {
		return serve(func() (gpu.Runner, error) {
			return &runner{Runner: gputest.Runner{Entries: entries, Description: adapter}}, nil
		})
	},
	"finds no device": func() error {
		return serve(func() (gpu.Runner, error) { return nil, fmt.Errorf("%w: no adapter", gpu.ErrNoDevice) })
	},
	"aborts": func() error {
		fmt.Fprintln(os.Stderr, "driver: lost device")
		os.Exit(134)
		return nil
	},
	"opens nothing":      hang,
	"answers nothing":    func() error { return answer("", true) },
	"answers garbage":    func() error { return answer("wombat\n", true) },
	"answers too much":   func() error { return answer(strings.Repeat(" ", child.MaxMessageBytes+1), true) },
	"answers another":    func() error { return answer(`{"Done":2}`+"\n", true) },
	"closes its replies": func() error { return answer("", false) },
	"is the parent":      beParent,
}

func serve(open func() (gpu.Runner, error)) error {
	c, err := child.Inherited()
	if err != nil {
		return err
	}
	return child.Serve(c, []*gpu.Kernel{adder, forever, broken, deadly, frees}, open)
}

// answer opens a device and answers the first request with a text.
func answer(text string, goesOn bool) error {
	c, err := child.Inherited()
	if err != nil {
		return err
	}
	fmt.Fprintln(c.Replies, `{"Adapter":{"Name":"test","Limits":{"BindingBytes":65536,"BatchBytes":65536}}}`)
	if _, err := bufio.NewReader(c.Requests).ReadString('\n'); err != nil {
		return err
	}
	fmt.Fprint(c.Replies, text)
	if !goesOn {
		c.Replies.(*os.File).Close()
	}
	return hang()
}

// hang returns when the process ends.
func hang() error {
	never, _, err := os.Pipe()
	if err == nil {
		_, err = io.ReadAll(never)
	}
	return err
}

var adapter = gpu.Adapter{
	Name: "test", Driver: "Go", Backend: "none", IsSoftware: true,
	Limits: gpu.Limits{BindingBytes: 1 << 20, BatchBytes: 1 << 22},
}

// The kernels of the tests.
var (
	adder   = kernel("adder", 3)   // adds its parameter to its input, three times
	forever = kernel("forever", 1) // writes a byte and does not end
	broken  = kernel("broken", 1)  // fails
	deadly  = kernel("deadly", 1)  // ends its process
	frees   = kernel("frees", 1)   // tells how often memory was freed
	unknown = kernel("unknown", 1)
	lengthy = kernel("adder", 100_000)
)

func kernel(name string, steps int) *gpu.Kernel {
	return &gpu.Kernel{Name: name, Steps: func([]gpu.Job) []gpu.Step { return slices.Repeat([]gpu.Step{{Entry: "main", Groups: 1}}, steps) }}
}

var entries = gputest.Entries{"adder": {"main": func(job int, m *gputest.Memory) {
	record := m.Records[12*job:]
	m.Scratch[record[3]] += record[4]
	m.Output[record[2]] = m.Input[record[0]] + m.Scratch[record[3]]
	m.Output[job] = gpu.Done
}}}

// runner runs kernels in Go.
type runner struct {
	gputest.Runner
	freed byte
}

func (r *runner) Run(kernel *gpu.Kernel, steps []gpu.Step, b gpu.Buffers) error {
	switch kernel {
	case forever:
		b.Output[0] = 1
		return hang()
	case broken:
		return errors.New("the shader is broken")
	case deadly:
		panic("lost device")
	case frees:
		b.Output[0] = r.freed
		return nil
	}
	return r.Runner.Run(kernel, steps, b)
}

func (r *runner) FreeMemory() { r.freed++ }

// beParent starts a child, prints its number once it computes, and waits for its own end.
func beParent() error {
	config := configOf("works")
	config.Logger = slog.New(slog.DiscardHandler)
	d := child.New(config)
	if _, err := d.Adapter(context.Background()); err != nil {
		return err
	}
	b, err := d.Begin(context.Background(), forever, []gpu.Job{{Output: 4}})
	if err != nil {
		return err
	}
	b.Output[0] = 0
	go func() {
		for b.Output[0] == 0 {
			runtime.Gosched()
		}
		fmt.Println(d.Process())
	}()
	return d.Run(context.Background(), b)
}
