package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestVersionIsOneLine(t *testing.T) {
	line := regexp.MustCompile(`^tileserver \S+ \(commit [^)]+\) go\S+ ` + runtime.GOOS + "/" + runtime.GOARCH + "\n$")
	for _, args := range [][]string{{"version"}, {"--version"}, {"-version"}} {
		if stdout := mustRun(t, args...); !line.MatchString(stdout) {
			t.Errorf("tileserver %v prints %q", args, stdout)
		}
	}
}

func TestVersionText(t *testing.T) {
	end := " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	for _, test := range []struct {
		facts buildFacts
		want  string
	}{
		{buildFacts{version: "1.2.3", commit: "0123456789abcdef"}, "1.2.3 (commit 0123456789ab)"},
		{buildFacts{version: "1.2.3", commit: "0123", modified: true}, "1.2.3 (commit 0123, modified)"},
		{buildFacts{version: "devel"}, "devel (commit unknown)"},
	} {
		if got := test.facts.String(); got != test.want+end {
			t.Errorf("got %q, want %q", got, test.want+end)
		}
	}
}

// The program reports the version stamped by "make build", even if the Go tool recorded none.
func TestAStampedBuildReportsItsVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: the test links the program")
	}
	program := filepath.Join(t.TempDir(), "tileserver.exe")
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-w -X main.stampedVersion=9.8.7 -X main.stampedCommit=abcdef-dirty", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	output, err := exec.Command(program, "--version").Output()
	if err != nil || !strings.HasPrefix(string(output), "tileserver 9.8.7 (commit abcdef, modified) ") {
		t.Errorf("it prints %q (%v)", output, err)
	}
}
