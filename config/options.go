package config

import (
	"flag"
	"fmt"
	"reflect"

	"tileserver/config/strictyaml"
)

// option is a flag.Value for a field of the configuration.
type option struct{ field reflect.Value }

// Set parses a value as the configuration file does.
func (o option) Set(text string) error { return strictyaml.Set(o.field, text) }

// String returns the value as help shows it.
func (o option) String() string {
	if !o.field.IsValid() {
		return ""
	}
	if text, ok := o.field.Addr().Interface().(fmt.Stringer); ok {
		return text.String()
	}
	return fmt.Sprint(o.field.Interface())
}

// isOption reports whether a field can be set by a single option.
func isOption(field reflect.Value) bool {
	switch field.Kind() {
	case reflect.Struct, reflect.Slice:
		_, isText := field.Addr().Interface().(flag.Value)
		return isText
	}
	return true
}

// Define defines an option for each setting that can be set by one.
func (c *Config) Define(set *flag.FlagSet) {
	fields := reflect.ValueOf(c).Elem()
	for _, section := range serverSections() {
		for _, s := range section.Settings {
			field, ok := strictyaml.Field(fields, s.Key)
			if !ok || !isOption(field) {
				continue
			}
			help := fmt.Sprintf("`%s` %s", s.Value, s.Help)
			if s.Default != "" {
				help += fmt.Sprintf(" (default %s)", s.Default)
			}
			set.Var(option{field}, s.Option(), help)
		}
	}
}
