package logs

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// reader is what reads a log: it takes nothing while it is stalled.
type reader struct {
	stall sync.Mutex
	mu    sync.Mutex
	text  strings.Builder
}

func (r *reader) Write(p []byte) (int, error) {
	r.stall.Lock()
	defer r.stall.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

// messages returns the messages of all lines, without their attributes.
func (r *reader) messages() (messages []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for line := range strings.Lines(r.text.String()) {
		messages = append(messages, strings.TrimSuffix(strings.TrimPrefix(line, "level=INFO "), "\n"))
	}
	return messages
}

// plainly formats lines without their time.
func plainly(w io.Writer) slog.Handler {
	return slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
}

func TestLinesKeepTheirOrder(t *testing.T) {
	r := new(reader)
	l := New(r, plainly)
	l.Info("0")
	if got := r.messages(); len(got) != 1 {
		t.Fatalf("before it serves, a line is not written at once: %q", got)
	}
	l.Serve()
	for i := range 500 {
		l.Info(fmt.Sprint(i + 1))
	}
	l.Close(time.Minute)
	got := r.messages()
	for i, message := range got {
		if message != fmt.Sprintf("msg=%d", i) {
			t.Fatalf("line %d is %s", i, message)
		}
	}
	if len(got) != 501 || l.Lost() != 0 {
		t.Errorf("%d lines, %d lost", len(got), l.Lost())
	}
}

// The reader stalls while more is logged than the queue may hold.
func TestAStalledReaderStopsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := new(reader)
		l := New(r, plainly)
		l.Serve()
		r.stall.Lock()
		const lines = 3000
		text := strings.Repeat("x", 1000)
		for i := range lines {
			l.Info("line", "i", i, "text", text)
		}
		lost := l.Lost()
		if kept := lines - lost; kept < 900 || kept > 2*maxQueuedBytes/1000 { // a MiB in the queue, and perhaps another being written
			t.Errorf("%d of %d lines were kept", kept, lines)
		}
		r.stall.Unlock()
		synctest.Wait()
		l.Info("after")
		l.Close(time.Minute)
		got := r.messages()
		kept := got[:lines-lost]
		for i, message := range kept {
			if !strings.HasPrefix(message, fmt.Sprintf("msg=line i=%d text=", i)) {
				t.Fatalf("line %d is %s", i, message)
			}
		}
		want := []string{fmt.Sprintf("level=WARN msg=%q lines=%d", "log lines were lost, because the log was not read in time", lost), "msg=after"}
		if rest := got[len(kept):]; len(rest) != 2 || rest[0] != want[0] || rest[1] != want[1] {
			t.Errorf("then come %q, want %q", rest, want)
		}
		if l.Lost() != lost {
			t.Errorf("%d lines were lost, then %d", lost, l.Lost())
		}
	})
}

func TestClosingWaitsForTheReaderOnlySoLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := new(reader)
		l := New(stalling{r, time.Hour}, plainly)
		l.Serve()
		l.Info("line")
		began := time.Now()
		l.Close(2 * time.Second)
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("it waited %v", took)
		}
		l.Info("too late")
		time.Sleep(time.Hour)
		if got := r.messages(); len(got) != 1 || l.Lost() != 1 {
			t.Errorf("%q are written, %d lost", got, l.Lost())
		}
	})
}

// stalling takes its time for each write.
type stalling struct {
	io.Writer
	time.Duration
}

func (s stalling) Write(p []byte) (int, error) {
	time.Sleep(s.Duration)
	return s.Writer.Write(p)
}

func TestALogWithoutAReaderCountsItsLines(t *testing.T) {
	l := New(broken{}, plainly)
	l.Serve()
	for range 7 {
		l.Info("line")
	}
	l.Close(time.Minute)
	if l.Lost() != 7 {
		t.Errorf("%d lines were lost, want all 7", l.Lost())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }
