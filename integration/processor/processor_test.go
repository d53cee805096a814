package processor_test

import (
	"fmt"
	"runtime"
	"testing"

	"tileserver/integration/processor"
)

// recorder records how a test ends.
type recorder struct {
	testing.TB
	fatal, skipped string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, arguments ...any) {
	r.fatal = fmt.Sprintf(format, arguments...)
	runtime.Goexit()
}

func (r *recorder) Skipf(format string, arguments ...any) {
	r.skipped = fmt.Sprintf(format, arguments...)
	runtime.Goexit()
}

func TestRequireFailsInCI(t *testing.T) {
	for _, test := range []struct {
		ci             string
		has            bool
		fatal, skipped bool
	}{{"true", true, false, false}, {"true", false, true, false}, {"", false, false, true}, {"", true, false, false}} {
		t.Setenv("CI", test.ci)
		r, done := new(recorder), make(chan struct{})
		go func() {
			defer close(done)
			processor.Require(r, test.has, "AVX9")
		}()
		<-done
		if (r.fatal != "") != test.fatal || (r.skipped != "") != test.skipped {
			t.Errorf("CI=%q, has %v: fatal %q, skipped %q", test.ci, test.has, r.fatal, r.skipped)
		}
	}
}
