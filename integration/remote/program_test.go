package remote

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// find returns the path of a program. If it is missing, the test is skipped, or fails in CI.
func find(t *testing.T, name string) string {
	t.Helper()
	// The PATH of users often lacks the folders of servers. Those of npm lie here.
	for _, folder := range []string{"", "/usr/sbin", filepath.Join("node_modules", ".bin")} {
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			if path, err = filepath.Abs(path); err == nil {
				return path
			}
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed", name)
	}
	t.Skipf("NOT TESTED: %s is not installed", name)
	return ""
}

// freeAddress returns an address on loopback where nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// run runs a server until the test ends, and returns when it answers HTTP.
func run(t *testing.T, base string, program string, args ...string) {
	t.Helper()
	var wrote bytes.Buffer // read when the program has ended
	command := exec.Command(program, args...)
	command.Stdout, command.Stderr, command.Dir = &wrote, &wrote, t.TempDir()
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
			t.Logf("%s wrote:\n%s", program, &wrote)
		}
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if answer, err := http.Get(base); err == nil {
			answer.Body.Close()
			return
		}
		select {
		case <-ended:
			t.Fatalf("%s ended", program)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not answer", program)
		}
	}
}
