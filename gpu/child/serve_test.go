//go:build unix

package child_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"tileserver/gpu"
	"tileserver/gpu/child"
	"tileserver/gpu/gputest"
)

const slotBytes = 1 << 16

// slotsOf returns shared memory of two slots.
func slotsOf(t testing.TB) (slots []*os.File) {
	for range 2 {
		slot, err := child.NewShared(slotBytes)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { slot.Close() })
		slots = append(slots, slot)
	}
	return slots
}

// counted is a runner that counts what it gets.
type counted struct {
	gputest.Runner
	sizes  []int
	closed int
}

func (c *counted) Run(_ *gpu.Kernel, _ []gpu.Step, b gpu.Buffers) error {
	c.sizes = append(c.sizes, len(b.Records), len(b.Input), len(b.Output), int(b.ScratchBytes))
	clear(b.Records)
	clear(b.Input)
	clear(b.Output)
	return nil
}

func (c *counted) Close() error {
	c.closed++
	return nil
}

// answersTo returns what a child answers to requests after it has told its adapter.
func answersTo(t testing.TB, slots []*os.File, requests string) (*counted, string, error) {
	var replies bytes.Buffer
	c := &counted{Runner: gputest.Runner{Description: gpu.Adapter{Limits: gpu.Limits{BindingBytes: 1 << 14, BatchBytes: 1 << 17}}}}
	err := child.Serve(child.Connection{Requests: strings.NewReader(requests), Replies: &replies, Slots: slots},
		[]*gpu.Kernel{adder}, func() (gpu.Runner, error) { return c, nil })
	first, rest, _ := strings.Cut(replies.String(), "\n")
	if !strings.HasPrefix(first, `{"Adapter":`) {
		t.Errorf("the first answer is %s", first)
	}
	if c.closed != 1 {
		t.Errorf("the device is closed %d times", c.closed)
	}
	return c, rest, err
}

func TestChildAnswersBatchesInTurn(t *testing.T) {
	slots := slotsOf(t)
	requests := `{"Batch":1,"Kernel":"adder","Records":48,"Input":4,"Output":16384,"Scratch":8}` + "\n" +
		`{"FreeMemory":true}` + "\n" + `{"Batch":5,"Slot":1,"Kernel":"adder","Records":0,"Input":0,"Output":0,"Scratch":0}`
	c, answers, err := answersTo(t, slots, requests)
	if err != nil || answers != "{\"Done\":1}\n{\"Done\":5}\n" || fmt.Sprint(c.sizes) != "[48 4 16384 8 0 0 0 0]" {
		t.Errorf("it answers %q, %v, with buffers of %v", answers, err, c.sizes)
	}
}

func TestChildRefusesHostileRequests(t *testing.T) {
	slots := slotsOf(t)
	for request, says := range map[string]string{
		"wombat":                            "no message",
		"{}":                                "no kernel",
		"null":                              "no kernel",
		"[1]":                               "no message",
		`{"Kernel":"adder","Batch":-1}`:     "no message",
		`{"Kernel":"adder","Slot":2}`:       "no slot 2",
		`{"Kernel":"adder","Slot":-1}`:      "no slot -1",
		`{"Kernel":"other"}`:                `no kernel is called "other"`,
		`{"Kernel":"adder","Records":-4}`:   "a buffer of -4 bytes",
		`{"Kernel":"adder","Input":3}`:      "a buffer of 3 bytes",
		`{"Kernel":"adder","Output":16388}`: "of at most 16384",
		`{"Kernel":"adder","Scratch":9223372036854775804}`:                "of at most 16384",
		`{"Kernel":"adder","Scratch":9223372036854775808}`:                "no message",
		`{"Kernel":"adder","Steps":[{"Groups":-1}]}`:                      "no message",
		`{"Kernel":"adder","Records":9223372036854775804,"Input":4}`:      "too large",
		strings.Repeat("x", child.MaxMessageBytes+1):                      "too long",
		`{"Kernel":"adder","Records":48,"Input":4,"Output":4} {"Slot":1}`: "no message",
		`{"Kernel":"adder","Steps":` + strings.Repeat("[", 20_000):        "no message",
		`{"Kernel":"` + strings.Repeat("a", 100_000) + `"}`:               "no kernel",
	} {
		c, answers, err := answersTo(t, slots, request+"\n"+`{"Batch":1,"Kernel":"adder"}`)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(answers, `{"Error":"`) || len(c.sizes) > 0 {
			t.Errorf("%.80s: it answers %.200q and ends with %v, want %q", request, answers, err, says)
		}
	}
}

func TestBatchThatIsLargerThanItsSlot(t *testing.T) {
	small, err := child.NewShared(8192)
	if err != nil {
		t.Fatal(err)
	}
	defer small.Close()
	_, _, err = answersTo(t, []*os.File{small}, `{"Kernel":"adder","Records":4,"Input":4096,"Output":4096}`)
	if !errors.Is(err, gpu.ErrTooLarge) {
		t.Errorf("got the error %v, want %v", err, gpu.ErrTooLarge)
	}
}

func TestChildWithoutADeviceSaysSo(t *testing.T) {
	var replies bytes.Buffer
	err := child.Serve(child.Connection{Replies: &replies}, nil, func() (gpu.Runner, error) { return nil, gpu.ErrNoDevice })
	if want := `{"Error":"no GPU","NoDevice":true}` + "\n"; !errors.Is(err, gpu.ErrNoDevice) || replies.String() != want {
		t.Errorf("got %q and %v, want %q", replies.String(), err, want)
	}
}

func FuzzServe(f *testing.F) {
	f.Add(`{"Batch":1,"Kernel":"adder","Steps":[{"Entry":"main","Groups":1}],"Records":48,"Input":4,"Output":8,"Scratch":4}` + "\n" + `{"FreeMemory":true}`)
	f.Add(`{"Batch":2,"Slot":1,"Kernel":"adder","Output":16384,"Input":16384,"Records":16384,"Scratch":16384}`)
	f.Add("wombat")
	slots := slotsOf(f)
	f.Fuzz(func(t *testing.T, requests string) {
		c, answers, err := answersTo(t, slots, requests)
		want := len(c.sizes) / 4 // batches
		if err != nil {
			want++
		}
		if strings.Count(answers, "\n") != want {
			t.Errorf("%d batches ran, it answers %q and ends with %v", len(c.sizes)/4, answers, err)
		}
	})
}
