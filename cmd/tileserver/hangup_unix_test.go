//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
)

// process is the program in its own process, for tests of signals.
type process struct {
	*exec.Cmd
	stderr *lockedBuffer
}

func startProcess(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{exec.Command(os.Args[0], args...), new(lockedBuffer)}
	p.Env = append(os.Environ(), asProgram+"=yes", "XDG_CACHE_HOME="+t.TempDir())
	p.Stderr = p.stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Process.Kill()
		p.Wait() // the test checks how it ended
	})
	return p
}

func (p *process) signal(t *testing.T, signal os.Signal) {
	t.Helper()
	if err := p.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

var servingAt = regexp.MustCompile(`msg=serving maps=(\S+) admin=(\S+)`)

// serving waits until the process serves and returns its addresses.
func (p *process) serving(t *testing.T) (maps, admin string) {
	t.Helper()
	eventually(t, "the program serves", func() bool { return servingAt.MatchString(p.stderr.String()) })
	at := servingAt.FindStringSubmatch(p.stderr.String())
	return at[1], "http://" + at[2]
}

// maps waits until the process serves and returns the address of the maps.
func (p *process) maps(t *testing.T) string {
	t.Helper()
	maps, _ := p.serving(t)
	return maps
}

// pipeIn creates a named pipe, at which readers block.
func pipeIn(t *testing.T, folder string) string {
	t.Helper()
	path := filepath.Join(folder, "slow")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatalf("no file to wait for can be made here: %v", err)
	}
	return path
}

// awaitReader waits until a process reads from a pipe.
func awaitReader(t *testing.T, pipe string) (writer io.WriteCloser) {
	t.Helper()
	eventually(t, "somebody reads "+pipe, func() bool {
		f, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			writer = f
		}
		return err == nil
	})
	return writer
}

func writeAll(t *testing.T, to io.WriteCloser, text string) {
	t.Helper()
	if _, err := io.WriteString(to, text); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
}

// A SIGHUP that arrives during the start takes effect, since the server may have read the old
// configuration already.
func TestAHangupDuringTheStartReloads(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, "a.tif", smallFile(t, 33))
	config := pipeIn(t, folder)
	p := startProcess(t, append([]string{"serve", "--config", config}, freePorts...)...)
	reading := awaitReader(t, config)
	p.signal(t, syscall.SIGHUP)
	writeAll(t, reading, "layers: [{path: a.tif, title: One}]")
	maps := p.maps(t)
	writeAll(t, awaitReader(t, config), "layers: [{path: a.tif, title: Two}]")
	eventually(t, "the changed configuration is served", func() bool {
		return layerTitles(t, &running{maps: maps})["a"] == "Two"
	})
}

func TestAHangupDoesNotEndTheDemo(t *testing.T) {
	p := startProcess(t, append([]string{"demo"}, freePorts...)...)
	p.maps(t)
	p.signal(t, syscall.SIGHUP)
	p.signal(t, syscall.SIGTERM)
	if err := p.Wait(); err != nil {
		t.Errorf("it ended with %v: %s", err, p.stderr)
	}
}

// SIGHUP ends commands that do not serve, so that they end with their terminal.
func TestAHangupEndsOtherCommands(t *testing.T) {
	for _, test := range []struct {
		args   []string
		serves bool
	}{
		{nil, true},
		{[]string{"-listen", ":1"}, true},
		{[]string{"demo"}, true},
		{[]string{"serve", "a.tif"}, true},
		{[]string{"render", "serve"}, false},
		{[]string{"read", "a.tif"}, false},
		{[]string{"--help"}, false},
	} {
		if got := serves(test.args); got != test.serves {
			t.Errorf("%q serves: %t, want %t", test.args, got, test.serves)
		}
	}
}
