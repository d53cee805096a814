//go:build unix

package integration

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// startUnread runs the program with a pipe as its log, of which the test has read all up to the
// line that it serves.
func startUnread(t *testing.T, args ...string) (command *exec.Cmd, maps, admin string, log *bufio.Reader, pipe *os.File) {
	t.Helper()
	pipe, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pipe.Close() })
	command = exec.Command(program(t), append([]string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}, args...)...)
	command.Stderr = theirs
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	t.Cleanup(func() { command.Process.Kill() })
	for log = bufio.NewReader(pipe); ; {
		line, err := log.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if found := serving.FindStringSubmatch(line); found != nil {
			return command, found[1], "http://" + found[2], log, pipe
		}
	}
}

// askMany asks for an address that is answered with 404, which --access-log all logs.
func askMany(t *testing.T, maps string, requests int) {
	t.Helper()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range requests / 8 {
				if a, err := tryAsk(t, http.MethodGet, maps+"/layers/"+strings.Repeat("x", 300), nil); err != nil || a.status != http.StatusNotFound {
					t.Errorf("status %d, %v", a.status, err)
					return
				}
			}
		})
	}
	all.Wait()
}

func TestALogThatIsNotReadStopsNobody(t *testing.T) {
	folder := t.TempDir()
	writeTIFF(t, folder, "plain.tif", fileOf(plain()))
	command, maps, admin, lines, _ := startUnread(t, "--access-log", "all", folder)
	const requests = 8000 // about 500 bytes each, of which a pipe holds 64 KiB and the server 2 MiB
	askMany(t, maps, requests)
	s := &server{maps: maps, admin: admin}
	lost := s.metric(t, "tileserver_log_lines_lost_total")
	if lost == 0 {
		t.Error("no line was lost")
	}
	read, all := new(log), make(chan struct{})
	go func() {
		defer close(all)
		for {
			line, err := lines.ReadString('\n')
			if read.add(line); err != nil {
				return
			}
		}
	}()
	eventually(t, "the log tells what was lost", func() bool { return strings.Contains(read.String(), "log lines were lost") })
	client.CloseIdleConnections()
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-all
	text := read.String()
	if err := command.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	told := 0
	for _, found := range regexp.MustCompile(`log lines were lost.* lines=(\d+)`).FindAllStringSubmatch(text, -1) {
		lines, _ := strconv.Atoi(found[1])
		told += lines
	}
	if told < lost || strings.Count(text, "msg=request ")+told < requests || !strings.Contains(text, "msg=stopped") {
		t.Errorf("the metric counts %d lost lines, the log tells of %d and has %d lines, the last: %s", lost, told, strings.Count(text, "\n"), text[strings.LastIndex(strings.TrimSpace(text), "\n")+1:])
	}
}

func TestAServerOutlivesTheReaderOfItsLog(t *testing.T) {
	folder := t.TempDir()
	writeTIFF(t, folder, "plain.tif", fileOf(plain()))
	command, maps, admin, _, pipe := startUnread(t, "--access-log", "all", folder)
	pipe.Close()
	askMany(t, maps, 80)
	s := &server{maps: maps, admin: admin}
	eventually(t, "the lines count as lost", func() bool { return s.metric(t, "tileserver_log_lines_lost_total") >= 80 })
	client.CloseIdleConnections()
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// A log that nobody reads delays the end by a bounded time.
func TestAServerEndsThoughItsLogIsNotRead(t *testing.T) {
	t.Parallel() // the server waits for the reader of its log
	folder := t.TempDir()
	writeTIFF(t, folder, "plain.tif", fileOf(plain()))
	command, maps, _, _, _ := startUnread(t, "--access-log", "all", folder)
	askMany(t, maps, 800)
	client.CloseIdleConnections()
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}
