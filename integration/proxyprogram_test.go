package integration

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

// find returns the path of a program. If it is missing, the test is skipped, or fails in CI.
func find(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil { // the PATH of users often lacks the folders of servers
		path, err = exec.LookPath(filepath.Join("/usr/sbin", name))
	}
	switch {
	case err == nil:
		return path
	case os.Getenv("CI") == "true":
		t.Fatalf("%s is not installed", name)
	}
	t.Skipf("NOT TESTED: %s is not installed", name)
	return ""
}

// output collects what a program writes. It can be read while the program runs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// runProgram runs another program until the test ends, and returns when it is ready.
func runProgram(t *testing.T, ready func() bool, name string, args ...string) {
	t.Helper()
	wrote := new(output)
	command := exec.Command(name, args...)
	command.Stdout, command.Stderr = wrote, wrote
	folder := t.TempDir() // for files that the program writes unasked
	command.Dir, command.Env = folder, append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		command.Wait() // its output shows how it ended
	}()
	t.Cleanup(func() {
		command.Process.Signal(syscall.SIGTERM)
		<-ended
		if t.Failed() {
			t.Logf("%s wrote:\n%s", filepath.Base(name), wrote)
		}
	})
	eventually(t, filepath.Base(name)+" is ready", func() bool {
		select {
		case <-ended:
			t.Fatalf("%s ended", filepath.Base(name))
		default:
		}
		return ready()
	})
}
