package strictyaml

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"tileserver/nearest"
)

// Unmarshaler is a type that sets itself from maps, lists and scalar values.
type Unmarshaler interface {
	UnmarshalValue(value any) error
}

// decoder sets Go values from trees.
type decoder struct {
	lines    Lines
	mistakes Mistakes
}

func (d *decoder) report(line int, path, format string, arguments ...any) {
	text := fmt.Sprintf(format, arguments...)
	if path != "" {
		text = path + ": " + text
	}
	d.mistakes = append(d.mistakes, Mistake{line, path, text})
}

func (d *decoder) decode(path string, t *tree, v reflect.Value) {
	if own, ok := v.Addr().Interface().(Unmarshaler); ok {
		if err := own.UnmarshalValue(d.value(path, t)); err != nil {
			d.report(t.line, path, "%v", err)
		}
		return
	}
	switch {
	case t.kind == null:
	case v.Kind() == reflect.Pointer:
		target := reflect.New(v.Type().Elem())
		d.decode(path, t, target.Elem())
		v.Set(target)
	case v.Kind() == reflect.Interface || v.Kind() == reflect.Map:
		d.decodeAny(path, t, v)
	case t.kind == scalar && isPlain(v):
		if err := Set(v, t.leaf.Value); err != nil {
			d.report(t.line, path, "%v", err)
		}
	case v.Kind() == reflect.Struct && t.kind == mapping:
		d.decodeStruct(path, t, v)
	case v.Kind() == reflect.Slice && t.kind == list:
		d.decodeList(path, t, v)
	default:
		d.report(t.line, path, "must be %v, not %v", kindOf(v), t.kind)
	}
}

// kindOf returns the YAML kind that a Go value is written as.
func kindOf(v reflect.Value) kind {
	switch v.Kind() {
	case reflect.Slice:
		return list
	case reflect.Struct, reflect.Map:
		return mapping
	}
	return scalar
}

func (d *decoder) decodeStruct(path string, t *tree, v reflect.Value) {
	for _, pair := range t.pairs {
		key := pair.key.Value
		field, ok := Field(v, key)
		if !ok {
			d.reportKey(path, pair, v.Type())
			continue
		}
		at := key
		if path != "" {
			at = path + "." + key
		}
		d.lines[at] = pair.key.Line
		d.decode(at, pair.value, field)
	}
}

// maxListedKeys is up to how many known keys are listed when no key is similar to an unknown one.
const maxListedKeys = 10

func (d *decoder) reportKey(path string, p pair, of reflect.Type) {
	keys := Keys(of)
	text := fmt.Sprintf("unknown key %q", p.key.Value)
	if path != "" {
		text += " in " + path
	}
	if near, ok := nearest.To(p.key.Value, keys); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	} else if len(keys) <= maxListedKeys {
		text += "; known are " + strings.Join(keys, ", ")
	}
	d.mistakes = append(d.mistakes, Mistake{p.key.Line, path, text})
}

func (d *decoder) decodeList(path string, t *tree, v reflect.Value) {
	items := reflect.MakeSlice(v.Type(), len(t.items), len(t.items))
	for i, item := range t.items {
		at := fmt.Sprintf("%s[%d]", path, i)
		d.lines[at] = item.line
		if item.kind == null {
			d.report(item.line, at, "is empty")
			continue
		}
		d.decode(at, item, items.Index(i))
	}
	v.Set(items)
}

// decodeAny sets an interface, or a map from text to any value.
func (d *decoder) decodeAny(path string, t *tree, v reflect.Value) {
	if v.Kind() == reflect.Interface {
		if value := d.value(path, t); value != nil {
			v.Set(reflect.ValueOf(value))
		}
		return
	}
	if t.kind != mapping {
		d.report(t.line, path, "must be %v, not %v", mapping, t.kind)
		return
	}
	values := make(map[string]any, len(t.pairs))
	for _, pair := range t.pairs {
		values[pair.key.Value] = d.value(path, pair.value)
	}
	v.Set(reflect.ValueOf(values))
}

// value returns a tree as maps, lists and scalar values. If all keys are text, the map has text
// keys.
func (d *decoder) value(path string, t *tree) any {
	switch t.kind {
	case list:
		items := make([]any, len(t.items))
		for i, item := range t.items {
			items[i] = d.value(path, item)
		}
		return items
	case mapping:
		return d.valueOfPairs(path, t.pairs)
	case scalar:
		var value any
		if err := t.leaf.Decode(&value); err != nil {
			d.report(t.line, path, "%q is not what its tag says", t.leaf.Value)
		}
		return value
	}
	return nil
}

func (d *decoder) valueOfPairs(path string, pairs []pair) any {
	if !slices.ContainsFunc(pairs, func(p pair) bool { return p.key.ShortTag() != "!!str" }) {
		values := make(map[string]any, len(pairs))
		for _, pair := range pairs {
			values[pair.key.Value] = d.value(path, pair.value)
		}
		return values
	}
	values := make(map[any]any, len(pairs))
	for _, pair := range pairs {
		var key any
		if err := pair.key.Decode(&key); err != nil {
			d.report(pair.key.Line, path, "%q is not what its tag says", pair.key.Value)
			continue
		}
		values[key] = d.value(path, pair.value)
	}
	return values
}
