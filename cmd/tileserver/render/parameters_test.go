package render

import (
	"slices"
	"testing"

	"tileserver/cmd/tileserver/usage"
	"tileserver/style"
)

// Every parameter of styles is an option of render, in a group of its help.
func TestRenderHasTheParametersOfStyles(t *testing.T) {
	set := usage.Options("render")
	var o Options
	o.Define(set)
	var grouped []string
	for _, group := range Groups() {
		grouped = append(grouped, group.Names...)
	}
	for _, name := range style.Names() {
		if set.Lookup(name) == nil || !slices.Contains(grouped, name) {
			t.Errorf("render lacks the option %s, or its help", name)
			continue
		}
		if err := set.Set(name, "a"); err != nil || o.appearance.values.Get(name) != "a" {
			t.Errorf("%s is %q after it was set, %v", name, o.appearance.values.Get(name), err)
		}
	}
}
