package progress

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestLinesReplaceEachOtherOnATerminalOnly(t *testing.T) {
	for isTerminal, want := range map[bool]string{
		false: "long line\n",
		true:  "\r\rlong line" + strings.Repeat("\r         \rlong line", 30) + "\r         \r",
	} {
		synctest.Test(t, func(t *testing.T) {
			var out strings.Builder
			lines, ended, done := &Lines{To: &out, IsTerminal: isTerminal, Line: func() string { return "long line" }}, make(chan struct{}), make(chan struct{})
			go func() {
				defer close(done)
				lines.Run(ended)
			}()
			time.Sleep(31*time.Second + time.Millisecond)
			close(ended)
			<-done
			if got := out.String(); got != want {
				t.Errorf("on a terminal %v: %q, want %q", isTerminal, got, want)
			}
		})
	}
}

func TestTheRestTakesAsLongAsWhatWasMade(t *testing.T) {
	count := Count{Things: "blocks", Done: 30, Made: 20, Total: 100}
	if got := count.After(10 * time.Second); got != "30 of 100 blocks, 30.0 %, 2 blocks/s, 35s left" {
		t.Error(got)
	}
	count.Made = 0
	if got := count.After(10 * time.Second); got != "30 of 100 blocks, 30.0 %" {
		t.Error(got)
	}
}

func TestSizesHaveTheUnitThatFits(t *testing.T) {
	for size, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1536: "1.5 KiB", 5 << 20: "5.0 MiB", 3 << 30: "3.0 GiB"} {
		if got := Size(size); got != want {
			t.Errorf("%d: %s, want %s", size, got, want)
		}
	}
}
