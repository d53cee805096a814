package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// exampleKeys maps each key of a configuration to whether an example shows it.
type exampleKeys map[exampleKey]bool

// exampleKey is a key of a struct.
type exampleKey struct {
	of   reflect.Type
	name string
}

// expect adds the keys of a type and of all types in it.
func (k exampleKeys) expect(of reflect.Type) {
	for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return
	}
	for _, field := range reflect.VisibleFields(of) {
		name := field.Tag.Get("yaml")
		if key := (exampleKey{of, name}); name != "" && name != ",inline" && !k.has(key) {
			k[key] = false
			k.expect(field.Type)
		}
	}
}

func (k exampleKeys) has(key exampleKey) bool {
	_, ok := k[key]
	return ok
}

// find marks the keys of a type that a part of a document shows.
func (k exampleKeys) find(node *yaml.Node, of reflect.Type) {
	switch {
	case node.Kind == yaml.DocumentNode:
		k.find(node.Content[0], of)
	case node.Kind == yaml.SequenceNode && of.Kind() == reflect.Slice:
		for _, element := range node.Content {
			k.find(element, of.Elem())
		}
	case node.Kind == yaml.MappingNode && of.Kind() == reflect.Struct:
		for i := 0; i < len(node.Content); i += 2 {
			name, value := node.Content[i].Value, node.Content[i+1]
			for _, field := range reflect.VisibleFields(of) {
				if field.Tag.Get("yaml") == name {
					k[exampleKey{of, name}] = true
					k.find(value, field.Type)
				}
			}
		}
	}
}

// missing returns the keys not shown. Keys shared by layers and styles need one example only.
func (k exampleKeys) missing() (names []string) {
	style := make(map[string]bool)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Style]()) {
		style[field.Tag.Get("yaml")] = true
	}
	for key, shown := range k {
		elsewhere := style[key.name] && (k[exampleKey{reflect.TypeFor[Layer](), key.name}] || k[exampleKey{reflect.TypeFor[NamedStyle](), key.name}])
		if !shown && !elsewhere {
			names = append(names, key.of.Name()+"."+key.name)
		}
	}
	slices.Sort(names)
	return names
}

// keysNotShown returns the configuration keys that a text lacks.
func keysNotShown(t *testing.T, text []byte) []string {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	keys := make(exampleKeys)
	keys.expect(reflect.TypeFor[Config]())
	keys.find(&document, reflect.TypeFor[Config]())
	return keys.missing()
}

func TestMissingExampleKeysAreFound(t *testing.T) {
	missing := strings.Join(keysNotShown(t, []byte("listen: a\nservice: {title: b}\nlayers: [{bidx: [1]}]\nstyles: [{styles: 1}]")), " ")
	for key, want := range map[string]bool{
		"Config.listen": false, "Config.cache": true, "Service.title": false, "Service.email": true,
		"Layer.id": true, "Layer.bidx": false, "NamedStyle.bidx": false, "NamedStyle.name": true, "Layer.stretch": true,
		"Layer.styles": true,
	} {
		if got := slices.Contains(strings.Fields(missing), key); got != want {
			t.Errorf("%s is missing: %v, want %v", key, got, want)
		}
	}
}
