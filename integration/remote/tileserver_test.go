package remote

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// built is the program of these tests. The first test that needs it builds it, unless the environment names
// one, to test another version.
var built struct {
	once   sync.Once
	folder string
	path   string
	err    error
}

func TestMain(m *testing.M) {
	flag.Set("test.parallel", "8") // most tests wait for what fails; -parallel still decides
	status := m.Run()
	os.RemoveAll(built.folder)
	os.Exit(status)
}

// tileserver returns the path of the program.
func tileserver(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED with -short: the program is not run")
	}
	built.once.Do(func() {
		if built.path = os.Getenv("TILESERVER_PROGRAM"); built.path != "" {
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
	maps    string // URL
	admin   string // URL, for operators
	log     *record
	command *exec.Cmd
}

// record is what a program writes. It can be read while the program runs.
type record struct {
	mu   sync.Mutex
	text strings.Builder
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// serving matches the log line with the addresses.
var serving = regexp.MustCompile(`msg=serving maps=http://(\S+) admin=(\S+)`)

// publicURL is what all servers call themselves in documents.
const publicURL = "http://maps.example"

// serve runs the program with a configuration until the test ends. The environment replaces variables.
func serve(t *testing.T, config string, environment ...string) *server {
	t.Helper()
	return serveWithState(t, config, "", environment...)
}

// serveWithState is serve, with a folder for what outlives the program.
func serveWithState(t *testing.T, config, state string, environment ...string) *server {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tileserver.yaml")
	if err := os.WriteFile(path, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(tileserver(t), "serve", "--config", path, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--state", state, "--public-url", publicURL)
	command.Env = append(os.Environ(), environment...)
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{log: new(record), command: command}
	lines := bufio.NewScanner(io.TeeReader(stderr, s.log))
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
		if t.Failed() {
			t.Logf("the program wrote:\n%.20000s", s.log)
		}
	})
	for lines.Scan() {
		if found := serving.FindStringSubmatch(lines.Text()); found != nil {
			go io.Copy(s.log, stderr)
			s.maps, s.admin = "http://"+found[1], "http://"+found[2]
			return s
		}
	}
	t.Fatalf("the program ended: %s", s.log)
	return nil
}

// stop ends the program as its operator does.
func (s *server) stop(t *testing.T) {
	t.Helper()
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.command.Wait(); err != nil {
		t.Fatalf("the program ended with %v", err)
	}
}

// answer is what a server answers.
type answer struct {
	status int
	body   string
}

func (a answer) String() string {
	return fmt.Sprintf("status %d, %d bytes, %.200q", a.status, len(a.body), a.body)
}

func (s *server) ask(t *testing.T, address string) answer {
	t.Helper()
	got, err := get(t.Context(), s.maps+address)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func get(ctx context.Context, url string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return answer{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, versions.ReplaceAllString(string(body), `"VERSION"`)}, err
}

// versions matches what in documents differs between two copies of a file.
var versions = regexp.MustCompile(`"[0-9a-f]{16}"`)

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come true that %s", what)
		}
	}
}
