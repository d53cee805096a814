package integration

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// built is the program of these tests. The first test that needs it builds it.
var built struct {
	once   sync.Once
	folder string
	path   string
	err    error
}

func TestMain(m *testing.M) {
	if program := os.Getenv(measuring); program != "" {
		if err := measure(program, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Set("test.parallel", "32") // the parallel tests mostly wait; -parallel still decides
	status := m.Run()
	os.RemoveAll(built.folder)
	os.Exit(status)
}

// program returns the path of the program, built once for all tests of this package. With -short it
// skips the test.
func program(t *testing.T) string {
	t.Helper()
	skipWithoutProgram(t)
	built.once.Do(build)
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

func skipWithoutProgram(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED with -short: the program is not run")
	}
}

func build() {
	if built.folder, built.err = os.MkdirTemp("", "tileserver"); built.err != nil {
		return
	}
	built.path = filepath.Join(built.folder, "tileserver")
	if runtime.GOOS == "windows" {
		built.path += ".exe"
	}
	command := exec.Command("go", "build", "-ldflags=-w", "-o", built.path, "../cmd/tileserver") // without debug information, linking is twice as fast
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		built.err = fmt.Errorf("building the program: %v\n%s", err, output)
	}
}

// server is a running instance of the program.
type server struct {
	maps, admin string // addresses that start with http://
	stop        func() error
	kill        func() // at once
	log         *log
}

// log collects what a server wrote to its standard error.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.WriteString(line)
}

// String returns everything that was written until now.
func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// complaints returns the last lines that do not have the level INFO.
func (l *log) complaints() string {
	var lines []string
	for line := range strings.Lines(l.String()) {
		if !strings.Contains(line, "level=INFO") {
			lines = append(lines, line)
		}
	}
	const maxLines = 20
	return strings.Join(lines[max(0, len(lines)-maxLines):], "")
}

// serving matches the log line with the server's addresses.
var serving = regexp.MustCompile(`msg=serving maps=(\S+) admin=(\S+)`)

// start runs the program on free ports and returns when it has opened its files.
func start(t *testing.T, args ...string) *server {
	t.Helper()
	return startAs(t, []string{program(t)}, args...)
}

// startAs does what start does with another command line, such as one of an emulator.
func startAs(t *testing.T, program []string, args ...string) *server {
	t.Helper()
	args = slices.Concat(program[1:], args, []string{"--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--access-log", "all"})
	command := exec.Command(program[0], args...)
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{log: new(log)}
	ready, ended := make(chan struct{}), make(chan struct{})
	go s.follow(stderr, ready, ended)
	s.kill = func() { command.Process.Kill() }
	s.stop = sync.OnceValue(func() error {
		client.CloseIdleConnections() // or the server waits 5 s for a request on each unused connection
		end(command.Process)
		<-ended // or Wait would close the pipe before all is read
		return command.Wait()
	})
	t.Cleanup(func() {
		s.stop()
		if t.Failed() {
			t.Logf("the server's log, without what went well:\n%s", s.log.complaints())
		}
	})
	select {
	case <-ready:
	case <-ended:
		t.Fatalf("the server ended: %v\n%s", command.Wait(), s.log)
	}
	// On a busy machine, a server listens before it has opened all files.
	eventually(t, "the server is ready", func() bool {
		return ask(t, http.MethodGet, s.admin+"/readyz", nil).status == http.StatusOK
	})
	return s
}

// end interrupts a process, or kills it on systems without interrupts.
func end(process *os.Process) {
	if process.Signal(os.Interrupt) != nil {
		process.Kill()
	}
}

// follow reads the log until the server has ended, and notes its addresses.
func (s *server) follow(stderr io.Reader, ready, ended chan<- struct{}) {
	defer close(ended)
	lines := bufio.NewReader(stderr)
	for {
		line, err := lines.ReadString('\n')
		s.log.add(line)
		if found := serving.FindStringSubmatch(line); found != nil && s.maps == "" {
			s.maps, s.admin = found[1], "http://"+found[2]
			close(ready)
		}
		if err != nil {
			return
		}
	}
}
