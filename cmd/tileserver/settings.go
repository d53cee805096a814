package main

import (
	"flag"
	"fmt"
	"reflect"
	"strings"

	"tileserver/cmd/tileserver/strictyaml"
)

// setting describes a key of the configuration. Options, help, the reference document and the
// names suggested for misspelled ones are all made from these, so none of them can differ.
type setting struct {
	key     string // in YAML; the option has dashes in place of underscores
	value   string // what to write: SIZE, HOST:PORT, text|json
	help    string // begins with a capital, and has no period at its end
	initial string // the default, where it is not a fixed value
	example string // as YAML has it
	restart bool   // a change takes effect after a restart only
}

// settingGroup is settings that help and the reference show together.
type settingGroup struct {
	title    string
	settings []setting
}

// option is how a setting is written on the command line, without dashes.
func (s *setting) option() string { return strings.ReplaceAll(s.key, "_", "-") }

// optionValue makes an option of a field of the configuration.
type optionValue struct{ field reflect.Value }

// Set reads the value, as the configuration file does.
func (v optionValue) Set(text string) error { return strictyaml.Set(v.field, text) }

// String writes the value as it is written in help.
func (v optionValue) String() string {
	if !v.field.IsValid() {
		return ""
	}
	if text, ok := v.field.Addr().Interface().(fmt.Stringer); ok {
		return text.String()
	}
	return fmt.Sprint(v.field.Interface())
}

// isOption reports whether a field can be said in one option.
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

// define makes options of all settings that can be said in one.
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

// serverGroups are the options of a server, as its help groups them.
func serverGroups() []optionGroup {
	groups := []optionGroup{{title: "Configuration", names: []string{"config"}}}
	for _, group := range serverSettings() {
		var names []string
		for _, s := range group.settings {
			names = append(names, s.option())
		}
		groups = append(groups, optionGroup{title: group.title, names: names})
	}
	return groups
}
