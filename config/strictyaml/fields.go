package strictyaml

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Keys returns the keys of a struct, in the order of its fields.
func Keys(of reflect.Type) []string {
	var keys []string
	for _, field := range reflect.VisibleFields(of) {
		if key := keyOf(field); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// Field returns the field of a struct with a key.
func Field(of reflect.Value, key string) (reflect.Value, bool) {
	for _, field := range reflect.VisibleFields(of.Type()) {
		if key != "" && keyOf(field) == key {
			return of.FieldByIndex(field.Index), true
		}
	}
	return reflect.Value{}, false
}

// keyOf returns the key of a field; "" if no document sets it.
func keyOf(field reflect.StructField) string {
	key, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	return key
}

// isPlain reports whether Set can set a value.
func isPlain(v reflect.Value) bool {
	if _, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return true
	}
	switch v.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		return true
	}
	return false
}

// Set sets a field from the text of a scalar in a document, or of a command-line option.
func Set(v reflect.Value, text string) error {
	if own, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return own.UnmarshalText([]byte(text))
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		return setTruth(v, text)
	case reflect.Int, reflect.Int64:
		return setInteger(v, text)
	case reflect.Float64:
		number, err := parseNumber(text)
		if err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
		v.SetFloat(number)
	default:
		return fmt.Errorf("must be %v", kindOf(v))
	}
	return nil
}

func setTruth(v reflect.Value, text string) error {
	switch strings.ToLower(text) {
	case "true", "yes", "on":
		v.SetBool(true)
	case "false", "no", "off":
		v.SetBool(false)
	default:
		return fmt.Errorf("%q is neither true nor false", text)
	}
	return nil
}

func setInteger(v reflect.Value, text string) error {
	number, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		var float float64
		if float, err = parseNumber(text); float != math.Trunc(float) || math.Abs(float) >= 1<<53 {
			err = errors.New("not whole")
		}
		number = int64(float)
	}
	if err != nil || v.OverflowInt(number) {
		return fmt.Errorf("%q is not a whole number", text)
	}
	v.SetInt(number)
	return nil
}

// parseNumber parses a number in YAML notation.
func parseNumber(text string) (float64, error) {
	switch strings.ToLower(text) {
	case ".nan":
		return math.NaN(), nil
	case ".inf", "+.inf":
		return math.Inf(1), nil
	case "-.inf":
		return math.Inf(-1), nil
	}
	if whole, err := strconv.ParseInt(text, 0, 64); err == nil {
		return float64(whole), nil
	}
	return strconv.ParseFloat(text, 64)
}
