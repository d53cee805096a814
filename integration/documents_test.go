package integration

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tileserver/display/colormap"
)

// documents returns the paths of all documents, relative to this folder.
func documents(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, pattern := range []string{"../*.md", "../docs/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("there are no documents like %s: %v", pattern, err)
		}
		paths = append(paths, found...)
	}
	return paths
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	fenced  = regexp.MustCompile("(?ms)^```.*?^```")
	links   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	unnamed = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchorsOf returns the anchors of the headings of a document.
func anchorsOf(document string) []string {
	var anchors []string
	for _, match := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(document, ""), -1) {
		name := unnamed.ReplaceAllString(strings.ToLower(match[1]), "")
		anchors = append(anchors, strings.ReplaceAll(name, " ", "-"))
	}
	return anchors
}

func TestLinksOfDocumentsLeadSomewhere(t *testing.T) {
	for _, path := range documents(t) {
		document := readText(t, path)
		for _, match := range links.FindAllStringSubmatch(fenced.ReplaceAllString(document, ""), -1) {
			link, err := url.Parse(match[1])
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if err != nil || link.Scheme != "" {
				continue
			}
			target, text := path, document
			if link.Path != "" {
				target = filepath.Join(filepath.Dir(path), link.Path)
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s links to %s, which does not exist", path, match[1])
					continue
				}
			}
			if link.Fragment == "" {
				continue
			}
			if target != path {
				text = readText(t, target)
			}
			if !slices.Contains(anchorsOf(text), link.Fragment) {
				t.Errorf("%s links to %s, but that heading does not exist", path, match[1])
			}
		}
	}
}

func TestREADMEIsShort(t *testing.T) {
	const maxLines = 100
	if lines := strings.Count(readText(t, "../README.md"), "\n"); lines > maxLines {
		t.Errorf("README.md has %d lines, want at most %d", lines, maxLines)
	}
}

// The documents count the color maps of the program. All but the project's own are those of others.
func TestDocumentsCountTheColorMaps(t *testing.T) {
	all := len(colormap.Names())
	for path, want := range map[string]string{
		"../README.md":        fmt.Sprintf("%d color maps", all),
		"../docs/http-api.md": fmt.Sprintf("%d names, each also reversed", all),
		"../docs/styling.md":  fmt.Sprintf("There are %d names: %d of matplotlib and cmocean", all, all-1),
	} {
		if !strings.Contains(readText(t, path), want) {
			t.Errorf("%s does not say %q", path, want)
		}
	}
}

// The headings in backticks of the troubleshooting guide are messages, with … for the parts that
// vary. Each fixed part must occur in a string of the program.
func TestMessagesOfTheGuideExist(t *testing.T) {
	texts := textsOfTheProgram(t)
	messages := regexp.MustCompile("(?m)^#+ `(.+)`$").FindAllStringSubmatch(readText(t, "../docs/troubleshooting.md"), -1)
	const fewest = 20
	if len(messages) < fewest {
		t.Fatalf("found only %d messages", len(messages))
	}
	for _, message := range messages {
		for _, piece := range joinOfMessages.Split(message[1], -1) {
			if piece = strings.TrimSpace(piece); !strings.Contains(texts, piece) {
				t.Errorf("no string of the program contains %q, a part of the message %q", piece, message[1])
			}
		}
	}
}

// joinOfMessages is where a message is put together from several strings, or has a part that varies.
var joinOfMessages = regexp.MustCompile(`…|: |:$|; `)

// textsOfTheProgram returns all string literals of the sources, without those of tests.
func textsOfTheProgram(t *testing.T) string {
	t.Helper()
	var texts strings.Builder
	walkSources(t, "..", func(name, file string, _ []string) {
		if strings.HasPrefix(name, "integration") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), "../"+file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if text, err := strconv.Unquote(literal.Value); err == nil {
					texts.WriteString(text + "\n")
				}
			}
			return true
		})
	})
	return texts.String()
}

// The documentation must list exactly the metrics that the server exports.
func TestMetricsAreDocumented(t *testing.T) {
	s := start(t)
	get(t, s.maps+"/layers/demo/preview.png?max_size=16")
	document := readText(t, "../docs/operations.md")
	// These metrics have values only while overviews are built, for files on disks and elsewhere, after a refusal, if
	// clients are limited, and with a GPU.
	seen := map[string]bool{
		"tileserver_gpu_": true, "tileserver_gpu_offers_total": true, "tileserver_gpu_break_even_work": true,
		"tileserver_gpu_batches_total": true, "tileserver_gpu_jobs_total": true,
		"tileserver_clients": true, "tileserver_http_refused_total": true,
		"tileserver_overviews_progress_ratio": true, "tileserver_storage_up": true, "tileserver_storage_hanging_calls": true,
		"tileserver_storage_failures_total": true, "tileserver_storage_refused_total": true,
		"tileserver_remote_requests": true, "tileserver_remote_requests_max": true,
	}
	for _, counted := range []string{"requests", "retries", "hedges", "refusals", "slowdowns", "bytes"} {
		seen["tileserver_remote_"+counted+"_total"] = true
	}
	for _, told := range []string{"bytes", "blocks", "hits_total", "misses_total", "written_total", "lost_total", "evictions_total", "damaged_total"} {
		seen["tileserver_disk_cache_"+told] = true
	}
	for _, match := range regexp.MustCompile(`(?m)^# TYPE (tileserver_\w+) `).FindAllStringSubmatch(string(get(t, s.admin+"/metrics").body), -1) {
		seen[match[1]] = true
		if !strings.Contains(document, "`"+match[1]+"`") {
			t.Errorf("docs/operations.md does not list the metric %s", match[1])
		}
	}
	for _, match := range regexp.MustCompile(`\btileserver_\w+`).FindAllString(document, -1) {
		if !seen[match] {
			t.Errorf("docs/operations.md lists the metric %s, which does not exist", match)
		}
	}
}
