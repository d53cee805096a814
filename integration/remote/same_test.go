package remote

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// configuration returns a configuration that serves paths. What was read of them stays current.
func configuration(paths ...string) string {
	var b strings.Builder
	b.WriteString("remote: [{prefix: 'http://', recheck: 1h}]\npaths:\n")
	for _, each := range paths {
		fmt.Fprintf(&b, "- '%s'\n", each)
	}
	return b.String()
}

func within(base string, names []string) (paths []string) {
	for _, name := range names {
		paths = append(paths, base+"/"+name)
	}
	return paths
}

func idOf(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

// maxToOpen is how many requests it may take to open a file whose directories lie together.
const maxToOpen = 2

// mostToOpen returns how many requests it may take to open a file.
func mostToOpen(name string) int {
	if name == "strips.tif" {
		return maxToOpen + 1 // its two directories lie behind the pixels of their images
	}
	return maxToOpen
}

// What lies on a web server is served as files on disk are, byte for byte. To open it takes few requests, and
// what was asked for once is not asked for again.
func TestFilesOnWebServersAreServedAsFilesOnDisk(t *testing.T) {
	for name, start := range map[string]func(t *testing.T) *webServer{
		"nginx":                 func(t *testing.T) *webServer { return startNginx(t, "") },
		"nginx that compresses": func(t *testing.T) *webServer { return startNginx(t, "gzip on; gzip_types *; gzip_min_length 1;") },
		"nginx without ranges":  func(t *testing.T) *webServer { return startNginx(t, "max_ranges 0;") },
		"lighttpd":              startLighttpd,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // the servers mostly wait
			tileserver(t)
			from := start(t)
			names := writeFiles(t, from.folder)
			disk := serve(t, configuration(within(from.folder, names)...))
			far := serve(t, configuration(within(from.url, names)...))
			var right []known
			for _, name := range names {
				far.ask(t, "/layers/"+idOf(name))
				right = append(right, disk.answers(t, disk.walk(t, idOf(name)))...)
			}
			checkOpening(t, names, from.asked(t))
			far.compare(t, right)
			t.Logf("%d answers took %d requests", len(right), len(from.asked(t)))
			far.walkAgain(t, right)
			if again := from.asked(t); len(again) != 0 {
				t.Errorf("the second walk takes requests: %s", again)
			}
		})
	}
}

// checkOpening checks that no file took more requests than it may.
func checkOpening(t *testing.T, names, asked []string) {
	t.Helper()
	for _, name := range names {
		took := 0
		for _, line := range asked {
			if strings.Contains(line, "/"+path.Base(name)+" ") {
				took++
			}
		}
		if took < 1 || took > mostToOpen(name) {
			t.Errorf("to open %s takes %d requests", name, took)
		}
	}
}

// walkAgain asks for known answers again, and for tiles as other pictures of the same pixels.
func (s *server) walkAgain(t *testing.T, right []known) {
	t.Helper()
	s.compare(t, right)
	for _, k := range right {
		if !strings.HasPrefix(k.address, "/tiles/") {
			continue
		}
		if got := s.ask(t, k.address+"?background=%23123456"); got.status != k.status {
			t.Errorf("%s on another background: %v", k.address, got)
		}
	}
}
