package clients

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// server is a running instance of the program.
type server struct {
	address string // of the maps, with http:// in front
	stop    func() error
	log     *serverLog
}

// serving matches the log line with the server's addresses.
var serving = regexp.MustCompile(`msg=serving maps=(\S+) admin=(\S+)`)

// start runs the program on free ports and returns when it has opened its files.
func start(t testing.TB, program string, args ...string) *server {
	t.Helper()
	command := exec.Command(program, append([]string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--state", "", "--access-log", "all"}, args...)...)
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{log: new(serverLog)}
	ready, ended := make(chan []string, 1), make(chan struct{})
	go func() {
		defer close(ended)
		s.log.follow(stderr, ready)
	}()
	s.stop = sync.OnceValue(func() error {
		end(command.Process)
		<-ended // or Wait would close the pipe before all is read
		return command.Wait()
	})
	select {
	case found := <-ready:
		s.address = found[1]
		waitUntilReady(t, "http://"+found[2])
	case <-ended:
		t.Fatalf("the server ended: %v\n%s", command.Wait(), s.log.all())
	}
	return s
}

// waitUntilReady waits until a server has opened its files. On a busy machine it listens earlier.
func waitUntilReady(t testing.TB, admin string) {
	t.Helper()
	for deadline := time.Now().Add(maxWait); ; time.Sleep(time.Millisecond) {
		response, err := http.Get(admin + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server is not ready after %v", maxWait)
		}
	}
}

// end interrupts a process, or kills it on systems without interrupts.
func end(process *os.Process) {
	if process.Signal(os.Interrupt) != nil {
		process.Kill()
	}
}

// serverLog collects what a server wrote to its standard error.
type serverLog struct {
	mu    sync.Mutex // guards lines
	lines []string
}

// follow reads the log until the server has ended, and sends its addresses to ready.
func (l *serverLog) follow(stderr io.Reader, ready chan<- []string) {
	for lines := bufio.NewReader(stderr); ; {
		line, err := lines.ReadString('\n')
		l.mu.Lock()
		l.lines = append(l.lines, line)
		l.mu.Unlock()
		if found := serving.FindStringSubmatch(line); found != nil {
			ready <- found
		}
		if err != nil {
			return
		}
	}
}

func (l *serverLog) all() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "")
}

// complaints returns the lines that do not have the level INFO.
func (l *serverLog) complaints() string {
	var lines []string
	for line := range strings.Lines(l.all()) {
		if !strings.Contains(line, "level=INFO") {
			lines = append(lines, line)
		}
	}
	const most = 20
	return strings.Join(lines[max(0, len(lines)-most):], "")
}
