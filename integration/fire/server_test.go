package fire

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// built is the program of these tests. The first test that needs it builds it, unless the environment
// names one, to attack another version.
var built struct {
	once   sync.Once
	folder string
	path   string
	err    error
}

const programVariable = "TILESERVER_PROGRAM"

func TestMain(m *testing.M) {
	flag.Set("test.parallel", "4") // the clients of the parallel tests mostly wait; -parallel still decides
	status := m.Run()
	os.RemoveAll(built.folder)
	os.Exit(status)
}

// program returns the path of the program. It skips the test where there is no /proc.
func program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED with -short: the program is not run")
	}
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the memory of a process is read from /proc, which only Linux has")
	}
	built.once.Do(func() {
		if built.path = os.Getenv(programVariable); built.path != "" {
			return
		}
		if built.folder, built.err = os.MkdirTemp("", "tileserver"); built.err != nil {
			return
		}
		built.path = filepath.Join(built.folder, "tileserver")
		command := exec.Command("go", "build", "-ldflags=-w", "-o", built.path, "../../cmd/tileserver")
		command.Env = append(os.Environ(), "CGO_ENABLED=0")
		if output, err := command.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("building the program: %v\n%s", err, output)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// server is a running instance of the program.
type server struct {
	address string // HOST:PORT of the maps
	process *os.Process
}

// serving matches the log line with the address of the maps.
var serving = regexp.MustCompile(`msg=serving maps=http://(\S+)`)

// start runs the program on a free port until the test ends.
func start(t *testing.T, args ...string) *server {
	t.Helper()
	command := exec.Command(program(t), append(args, "--listen", "127.0.0.1:0", "--admin-listen", "", "--state", "")...)
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	lines, all := bufio.NewScanner(stderr), ""
	for lines.Scan() {
		all += lines.Text() + "\n"
		if found := serving.FindStringSubmatch(lines.Text()); found != nil {
			go io.Copy(io.Discard, stderr)
			return &server{found[1], command.Process}
		}
	}
	t.Fatalf("the program ended: %s", all)
	return nil
}

// peakBytes returns the most memory that the process has had so far.
func (s *server) peakBytes(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kibibytes, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kibibytes << 10
}
