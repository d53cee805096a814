package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"tileserver/config/strictyaml"
)

// The table of settings has exactly the keys of the configuration, once each.
func TestEveryKeyIsDescribed(t *testing.T) {
	var server []Setting
	for _, group := range serverSections() {
		server = append(server, group.Settings...)
	}
	for of, described := range map[reflect.Type][]Setting{
		reflect.TypeFor[Config]():     server,
		reflect.TypeFor[Service]():    serviceSettings(),
		reflect.TypeFor[Layer]():      slices.Concat(layerSettings(), styleSettings()),
		reflect.TypeFor[NamedStyle](): slices.Concat(namedStyleSettings(), styleSettings()),
		reflect.TypeFor[Style]():      styleSettings(),
		reflect.TypeFor[Path]():       pathSettings(),
		reflect.TypeFor[Remote]():     remoteSettings(),
		reflect.TypeFor[URL]():        urlSettings(),
		reflect.TypeFor[Allow]():      allowSettings(),
		reflect.TypeFor[Rules]():      rulesSettings(),
	} {
		var keys []string
		for _, s := range described {
			keys = append(keys, s.Key)
			if s.Help == "" || s.Value == "" || strings.HasSuffix(s.Help, ".") {
				t.Errorf("%v: the description of %q is %q", of, s.Key, s.Help)
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
	blocks := strings.Split(Reference(), "```yaml\n")[1:]
	for _, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		mustBeConfig(t, text)
	}
	if len(blocks) < 9 {
		t.Errorf("the reference has %d examples", len(blocks))
	}
	for _, s := range styleSettings() {
		mustBeConfig(t, "styles:\n  - name: a\n    "+s.Key+": "+s.Example)
	}
	for _, s := range remoteSettings() {
		mustBeConfig(t, "remote:\n  - "+remoteWith(s.Key)+s.Key+": "+s.Example)
	}
}

// remoteWith returns the keys of an entry of remote that a key needs.
func remoteWith(key string) string {
	switch key {
	case "prefix":
		return ""
	case "account":
		return "prefix: az://\n    "
	case "project":
		return "prefix: gs://\n    "
	case "headers":
		return "prefix: https://example.org\n    "
	case "external_id":
		return "prefix: s3://bucket\n    role: arn:aws:iam::123456789012:role/reader\n    "
	}
	return "prefix: s3://bucket\n    "
}

func mustBeConfig(t *testing.T, text string) {
	t.Helper()
	c := Default()
	if err := c.Decode("example.yaml", []byte(text)); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	if err := c.Validate(); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	if _, err := ParseStyles(c.Styles, c.At("styles")); err != nil && !strings.Contains(text, "algorithm_params") && !strings.Contains(text, "colormap_type") {
		t.Errorf("%v in\n%s", err, text)
	}
}
