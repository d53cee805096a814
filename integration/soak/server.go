package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// server is a running instance of the program.
type server struct {
	maps, admin string // http://HOST:PORT
	command     *exec.Cmd
	ended       chan struct{} // closed when all of the log is read

	mu        sync.Mutex
	anomalies []string // lines of the log that no request explains
}

// serving matches the line of the log with the addresses.
var serving = regexp.MustCompile(`msg=serving maps=(\S+) admin=(\S+)`)

// serve starts the program with a configuration, and returns when it serves.
func (w *world) serve(program, configuration string, options []string) (*server, error) {
	path := filepath.Join(w.folder, "tileserver.yaml")
	if err := os.WriteFile(path, []byte(configuration), 0o644); err != nil {
		return nil, err
	}
	s := &server{ended: make(chan struct{})}
	s.command = exec.Command(program, append([]string{"serve", "--config", path}, options...)...)
	log, err := s.command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	ready := make(chan struct{})
	go s.follow(log, ready)
	select {
	case <-ready:
		return s, s.awaitReady()
	case <-s.ended:
		return nil, fmt.Errorf("the program ended: %v\n%s", s.command.Wait(), strings.Join(s.anomalies, "\n"))
	}
}

// follow reads the log until the server has ended.
func (s *server) follow(log io.Reader, ready chan<- struct{}) {
	defer close(s.ended)
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if found := serving.FindStringSubmatch(line); found != nil && s.maps == "" {
			s.maps, s.admin = found[1], "http://"+found[2]
			close(ready)
		}
		s.judge(line)
	}
}

// isExpected matches lines of the log that an attack explains.
var isExpected = regexp.MustCompile(`level=(INFO|DEBUG)|status=(503|499)|msg="slow request"|layer=(damaged|written)|msg="(skipped|damaged) file`)

// judge keeps what the log has beyond what is expected.
func (s *server) judge(line string) {
	const most = 1000
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isExpected.MatchString(line) && len(s.anomalies) < most {
		s.anomalies = append(s.anomalies, line)
	}
}

// awaitReady returns when all files are open.
func (s *server) awaitReady() error {
	for range 600 {
		if response, err := http.Get(s.admin + "/readyz"); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("the server is not ready after a minute")
}

func (s *server) reload() { s.command.Process.Signal(syscall.SIGHUP) }
func (s *server) kill()   { s.command.Process.Kill() }

// stop ends the server as a service manager does, and returns an error unless its exit code is 0.
func (s *server) stop() error {
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	<-s.ended // or Wait would close the pipe before all is read
	return s.command.Wait()
}

// sample is the state of the process at a time, and what it answered since the last one.
type sample struct {
	at                      time.Duration
	resident, peak          int64 // bytes
	descriptors, goroutines int
	sent                    tally

	// Of the process with the device, if there is one. A device that computes on the cores has its memory
	// there, too.
	deviceResident    int64
	deviceDescriptors int
}

func (s sample) String() string {
	return fmt.Sprintf("%6.0f s  resident %4d MiB, at most %4d MiB, %4d descriptors, %4d goroutines  %v",
		s.at.Seconds(), s.resident>>20, s.peak>>20, s.descriptors, s.goroutines, &s.sent)
}

// sample looks at the process.
func (s *server) sample(ctx context.Context) (now sample, err error) {
	folder := fmt.Sprintf("/proc/%d/", s.command.Process.Pid)
	status, err := os.ReadFile(folder + "status")
	if err != nil {
		return now, err
	}
	descriptors, err := os.ReadDir(folder + "fd")
	if err != nil {
		return now, err
	}
	metrics, err := fetch(ctx, s.admin+"/metrics")
	if err != nil {
		return now, err
	}
	now.resident, now.peak = number(string(status), "VmRSS:")<<10, number(string(status), "VmHWM:")<<10
	now.descriptors = len(descriptors)
	now.goroutines = int(number(metrics, "\ngo_goroutines "))
	now.sampleDevice(s.command.Process.Pid)
	return now, nil
}

// sampleDevice looks at the process with the device, which is the only child of a server. It may end at
// any time.
func (now *sample) sampleDevice(server int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", server))
	for _, path := range lists {
		list, _ := os.ReadFile(path)
		for _, child := range strings.Fields(string(list)) {
			status, _ := os.ReadFile("/proc/" + child + "/status")
			descriptors, _ := os.ReadDir("/proc/" + child + "/fd")
			now.deviceResident += number(string(status), "VmRSS:") << 10
			now.deviceDescriptors += len(descriptors)
		}
	}
}

// number returns the number behind a name.
func number(text, name string) int64 {
	_, rest, _ := strings.Cut(text, name)
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	value, err := strconv.ParseFloat(fields[0], 64)
	if err != nil {
		return 0
	}
	return int64(value)
}

func fetch(ctx context.Context, address string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

// quiet looks at the process while it has no requests, until its memory and goroutines no longer
// shrink.
func (s *server) quiet(ctx context.Context, most time.Duration) (least sample, err error) {
	least, err = s.sample(ctx)
	began, last := time.Now(), time.Now()
	for err == nil && time.Since(began) < most && time.Since(last) < most*2/3 {
		if !wait(ctx, most/60) {
			return least, context.Cause(ctx)
		}
		var now sample
		if now, err = s.sample(ctx); now.resident < least.resident || now.goroutines < least.goroutines || now.descriptors < least.descriptors {
			last = time.Now()
		}
		least.resident, least.peak = min(least.resident, now.resident), now.peak
		least.goroutines, least.descriptors = min(least.goroutines, now.goroutines), min(least.descriptors, now.descriptors)
	}
	return least, err
}
