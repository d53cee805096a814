package main

import (
	"flag"
	"fmt"
	"reflect"
	"strings"

	"tileserver/cmd/tileserver/usage"
	"tileserver/config/strictyaml"
)

// setting describes a key of the configuration. Options, help, the reference document and
// suggestions for misspelled keys are all derived from these, so that they agree.
type setting struct {
	key     string // in YAML; the option has dashes in place of underscores
	value   string // placeholder: SIZE, HOST:PORT, text|json
	help    string // starts with a capital letter; no final period
	initial string // the default, unless it is a fixed value
	example string // in YAML
	restart bool   // a change takes effect after a restart only
}

// settingGroup is a group of settings in help and in the reference.
type settingGroup struct {
	title    string
	settings []setting
}

// option returns the name of a setting's option, without the leading dashes.
func (s *setting) option() string { return strings.ReplaceAll(s.key, "_", "-") }

// optionValue is a flag.Value for a field of the configuration.
type optionValue struct{ field reflect.Value }

// Set parses a value as the configuration file does.
func (v optionValue) Set(text string) error { return strictyaml.Set(v.field, text) }

// String returns the value as help shows it.
func (v optionValue) String() string {
	if !v.field.IsValid() {
		return ""
	}
	if text, ok := v.field.Addr().Interface().(fmt.Stringer); ok {
		return text.String()
	}
	return fmt.Sprint(v.field.Interface())
}

// isOption reports whether a field can be set by a single option.
func isOption(field reflect.Value) bool {
	switch field.Kind() {
	case reflect.Struct:
		return false
	case reflect.Slice:
		_, isText := field.Addr().Interface().(flag.Value)
		return isText
	}
	return true
}

// define defines an option for each setting that can be set by one.
func (c *config) define(set *flag.FlagSet) {
	fields := reflect.ValueOf(c).Elem()
	for _, group := range serverSettings() {
		for _, s := range group.settings {
			field, ok := strictyaml.Field(fields, s.key)
			if !ok || !isOption(field) {
				continue
			}
			help := fmt.Sprintf("`%s` %s", s.value, s.help)
			if s.initial != "" {
				help += fmt.Sprintf(" (default %s)", s.initial)
			}
			set.Var(optionValue{field}, s.option(), help)
		}
	}
}

// serverGroups returns the options of a server, grouped as in its help.
func serverGroups() []usage.Group {
	groups := []usage.Group{{Title: "Configuration", Names: []string{"config"}}}
	for _, group := range serverSettings() {
		var names []string
		for _, s := range group.settings {
			names = append(names, s.option())
		}
		groups = append(groups, usage.Group{Title: group.title, Names: names})
	}
	return groups
}
