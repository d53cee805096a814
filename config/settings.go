package config

import (
	"reflect"
	"slices"
	"strings"

	"tileserver/config/strictyaml"
)

// A Setting describes a key of the configuration. Options, help, the reference document and
// suggestions for misspelled keys are all derived from these, so that they agree.
type Setting struct {
	Key     string // in YAML
	Value   string // placeholder: SIZE, HOST:PORT, text|json
	Help    string // starts with a capital letter; no final period
	Default string // in words, or in backquotes as it is written; "" if there is none
	Example string // in YAML
	Restart bool   // a change takes effect after a restart only
}

// Option returns the name of the setting's option, without the leading dashes.
func (s *Setting) Option() string { return strings.ReplaceAll(s.Key, "_", "-") }

// A Section is a group of settings in help and in the reference.
type Section struct {
	Title    string // for a terminal
	Settings []Setting

	heading, about string // in the reference
	inside         string // start of the example: the key above the settings
	exampleColumn  bool   // replaces the example, for keys that exclude each other
}

// TopLevel returns the sections of the keys at the top level, with their defaults.
func TopLevel() []Section {
	c := Default()
	fields := reflect.ValueOf(&c).Elem()
	sections := serverSections()
	for _, section := range sections {
		for i := range section.Settings {
			setDefault(&section.Settings[i], fields)
		}
	}
	return sections
}

// setDefault sets the default of a setting that has a fixed value as its default.
func setDefault(s *Setting, defaults reflect.Value) {
	field, ok := strictyaml.Field(defaults, s.Key)
	if s.Default == "" && ok && isOption(field) && !field.IsZero() {
		s.Default = "`" + option{field}.String() + "`"
	}
}

// Below returns the sections of the keys below those of the top level.
func Below() []Section {
	return []Section{
		{heading: "## Service", Title: "Service, below service", about: aboutServiceKeys, Settings: serviceSettings(), inside: "service:\n  "},
		{heading: "## What requests may ask for", Title: "What requests may ask for, below allow", about: aboutAllowKeys, Settings: allowSettings(), inside: "allow:\n  "},
		{heading: "## Paths", Title: "Paths, in each entry of paths", about: aboutPathKeys, Settings: pathSettings(), inside: "paths:\n  - "},
		{heading: "## Remote files", Title: "Remote files, in each entry of remote", about: aboutRemoteKeys, Settings: remoteSettings(), exampleColumn: true},
		{heading: "## Files by address", Title: "Files by address, below url", about: aboutURLKeys, Settings: urlSettings(), inside: "url:\n  "},
		{heading: "## Layers", Title: "Layers, in each entry of layers", about: aboutLayerKeys, Settings: layerSettings(), inside: "layers:\n  - "},
		{heading: "## Styles", Title: "Styles, in each entry of styles", about: aboutStyleKeys, Settings: namedStyleSettings()},
		{heading: "### How it looks", Title: "How it looks, in each layer and style", about: aboutLookKeys, Settings: styleSettings(), exampleColumn: true},
	}
}

// ChangesForRestart returns the keys whose values differ in other and take effect only after a
// restart.
func (c *Config) ChangesForRestart(other Config) []string {
	present, next := reflect.ValueOf(c).Elem(), reflect.ValueOf(&other).Elem()
	var keys []string
	for _, section := range serverSections() {
		for _, s := range section.Settings {
			was, _ := strictyaml.Field(present, s.Key)
			is, _ := strictyaml.Field(next, s.Key)
			if s.Restart && !reflect.DeepEqual(was.Interface(), is.Interface()) {
				keys = append(keys, s.Key)
			}
		}
	}
	slices.Sort(keys)
	return keys
}
