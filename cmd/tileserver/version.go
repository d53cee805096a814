package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"tileserver/cmd/tileserver/usage"
)

// The linker sets stampedVersion and stampedCommit in builds without repository information:
//
//	go build -ldflags "-X main.stampedVersion=1.2.3 -X main.stampedCommit=0123abc" ./cmd/tileserver
//
// The suffix "-dirty" marks a modified commit.
var stampedVersion, stampedCommit string

// buildFacts describes this build.
type buildFacts struct {
	version  string // "devel" if unknown
	commit   string // empty if unknown
	modified bool   // since the commit
}

const dirty = "-dirty"

// builtFrom returns the facts of this build: those set by the linker, else those recorded by the Go
// tool.
func builtFrom() buildFacts {
	facts := buildFacts{version: stampedVersion, commit: strings.TrimSuffix(stampedCommit, dirty), modified: strings.HasSuffix(stampedCommit, dirty)}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		facts.version = cmp.Or(facts.version, "devel")
		return facts
	}
	recorded := info.Main.Version
	if recorded == "(devel)" {
		recorded = "devel"
	}
	facts.version = cmp.Or(facts.version, recorded, "devel")
	if facts.commit != "" {
		return facts
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			facts.commit = s.Value
		case "vcs.modified":
			facts.modified = s.Value == "true"
		}
	}
	return facts
}

// shownCommitLength is how many digits of a commit are shown.
const shownCommitLength = 12

// String returns the line that "tileserver version" prints, without the name.
func (f buildFacts) String() string {
	commit := cmp.Or(f.commit[:min(shownCommitLength, len(f.commit))], "unknown")
	if f.modified {
		commit += ", modified"
	}
	return fmt.Sprintf("%s (commit %s) %s %s/%s", f.version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func (p *program) version(_ context.Context, args []string) error {
	arguments, err := p.parse(usage.Options("version"), args)
	if err != nil {
		return err
	}
	if len(arguments) > 0 {
		return usage.Mistakef("version takes no file")
	}
	_, err = fmt.Fprintln(p.stdout, "tileserver", builtFrom())
	return err
}
