package main

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
)

func TestTheReferenceIsUpToDate(t *testing.T) {
	t.Setenv("STATE_DIRECTORY", "/var/lib/tileserver")
	checkGolden(t, filepath.Join("..", "..", "docs", "configuration.md"), config.Reference())
}

// The help lists every key with its default, without markup.
func TestConfigHelpIsPlainText(t *testing.T) {
	page := mustRun(t, "help", "config")
	for line := range strings.Lines(page) {
		if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > usage.Width {
			t.Errorf("%d columns: %s", width, line)
		}
	}
	for _, markup := range []string{"<!--", "|---", "`", "#"} {
		if strings.Contains(strings.ReplaceAll(page, "FILE#2", ""), markup) {
			t.Errorf("the help has %q", markup)
		}
	}
	for _, section := range append(config.TopLevel(), config.Below()...) {
		for _, s := range section.Settings {
			if !strings.Contains(page, "\n  "+s.Key+" "+s.Value) {
				t.Errorf("the help does not name %s %s", s.Key, s.Value)
			}
		}
	}
	for _, said := range []string{"(default 512MiB; ", "(default bilinear)", "in_flight SIZE *"} {
		if !strings.Contains(page, said) {
			t.Errorf("the help does not say %q", said)
		}
	}
}
