package clients

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// server is a running program.
type server struct {
	address string // of the maps, with http:// in front
	stop    func() error
	log     *serverLog
}

// serving is the line that says where a server is.
var serving = regexp.MustCompile(`msg=serving maps=(\S+)`)

// start runs the program on a free port and returns when it accepts requests.
func start(t testing.TB, program string, args ...string) *server {
	t.Helper()
	command := exec.Command(program, append([]string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "", "--state", "", "--access-log", "all"}, args...)...)
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{log: new(serverLog)}
	ready, ended := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(ended)
		s.log.follow(stderr, ready)
	}()
	s.stop = sync.OnceValue(func() error {
		end(command.Process)
		<-ended // or Wait would close what is being read
		return command.Wait()
	})
	select {
	case s.address = <-ready:
	case <-ended:
		t.Fatalf("the server ended: %v\n%s", command.Wait(), s.log.all())
	}
	return s
}

// end asks a program to end, where one can be asked.
func end(process *os.Process) {
	if process.Signal(os.Interrupt) != nil {
		process.Kill()
	}
}

// serverLog is what a server wrote to its standard error.
type serverLog struct {
	mu    sync.Mutex // guards lines
	lines []string
}

// follow reads until the server has ended, and passes on where it serves.
func (l *serverLog) follow(stderr io.Reader, ready chan<- string) {
	for lines := bufio.NewReader(stderr); ; {
		line, err := lines.ReadString('\n')
		l.mu.Lock()
		l.lines = append(l.lines, line)
		l.mu.Unlock()
		if found := serving.FindStringSubmatch(line); found != nil {
			ready <- found[1]
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

// complaints are the lines that are no plain information.
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
