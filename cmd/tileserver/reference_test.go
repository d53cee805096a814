package main

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tileserver/cmd/tileserver/usage"
	"tileserver/config/strictyaml"
)

func TestTheReferenceIsUpToDate(t *testing.T) {
	t.Setenv("STATE_DIRECTORY", "/var/lib/tileserver")
	checkGolden(t, filepath.Join("..", "..", "docs", "configuration.md"), configReference())
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
	settings := slices.Concat(serviceSettings(), layerSettings(), namedStyleSettings(), styleSettings())
	for _, group := range serverSettings() {
		settings = append(settings, group.settings...)
	}
	for _, s := range settings {
		if !strings.Contains(page, "\n  "+s.key+" "+s.value) {
			t.Errorf("the help does not name %s %s", s.key, s.value)
		}
	}
	for _, said := range []string{"(default 512MiB)", "(default bilinear)", "in_flight SIZE *"} {
		if !strings.Contains(page, said) {
			t.Errorf("the help does not say %q", said)
		}
	}
}

// The table of settings has exactly the keys of the configuration, once each.
func TestEveryKeyIsDescribed(t *testing.T) {
	var server []setting
	for _, group := range serverSettings() {
		server = append(server, group.settings...)
	}
	for of, described := range map[reflect.Type][]setting{
		reflect.TypeFor[config]():        server,
		reflect.TypeFor[serviceConfig](): serviceSettings(),
		reflect.TypeFor[layerConfig]():   slices.Concat(layerSettings(), styleSettings()),
		reflect.TypeFor[namedStyle]():    slices.Concat(namedStyleSettings(), styleSettings()),
		reflect.TypeFor[styleConfig]():   styleSettings(),
	} {
		var keys []string
		for _, s := range described {
			keys = append(keys, s.key)
			if s.help == "" || s.value == "" || strings.HasSuffix(s.help, ".") {
				t.Errorf("%v: the description of %q is %q", of, s.key, s.help)
			}
		}
		want := strictyaml.Keys(of)
		slices.Sort(keys)
		slices.Sort(want)
		if !slices.Equal(keys, want) {
			t.Errorf("%v: described are %q, and taken %q", of, keys, want)
		}
	}
}

// The examples of the reference are valid configurations.
func TestReferenceExamplesAreValid(t *testing.T) {
	blocks := strings.Split(configReference(), "```yaml\n")[1:]
	for _, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		mustBeConfig(t, text)
	}
	if len(blocks) < 9 {
		t.Errorf("the reference has %d examples", len(blocks))
	}
	for _, s := range styleSettings() {
		mustBeConfig(t, "styles:\n  - name: a\n    "+s.key+": "+s.example)
	}
}

func mustBeConfig(t *testing.T, text string) {
	t.Helper()
	c := defaultConfig()
	if err := c.decode("example.yaml", []byte(text)); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	if err := c.validate(); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	if _, err := stylesOf(c.Styles, c.source.at("styles")); err != nil && !strings.Contains(text, "algorithm_params") && !strings.Contains(text, "colormap_type") {
		t.Errorf("%v in\n%s", err, text)
	}
}
