package main

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"tileserver/display/colormap"
	"tileserver/display/terrain"
	"tileserver/layer"
	"tileserver/nearest"

	tilehttp "tileserver/http"
)

// styleMistakes are the errors in several keys of one style.
type styleMistakes []error

// Error is all of them.
func (m styleMistakes) Error() string { return mistakeList(m).Error() }

// mistakesIn finds all that is wrong with a style. Parsing tells of the first mistake only, so
// the key that it names is taken out, and the rest parsed again.
func mistakesIn(query url.Values) error {
	var found styleMistakes
	for {
		_, err := parseStyle(query, layer.Style{})
		if err == nil {
			return found
		}
		found = append(found, err)
		key := keyNamed(err.Error(), query)
		if key == "" {
			return found
		}
		for _, gone := range append(needing(key), key) {
			delete(query, gone)
		}
	}
}

// keyNamed is the key that an error begins with, if it is one of a style.
func keyNamed(text string, query url.Values) string {
	words := strings.Fields(text)
	for _, word := range words[:min(keyWords, len(words))] {
		if key := strings.TrimSuffix(word, ":"); len(query[key]) > 0 {
			return key
		}
	}
	return ""
}

// needing are the keys that say nothing without another one.
func needing(key string) []string {
	switch key {
	case "algorithm":
		return []string{"algorithm_params"}
	case "colormap":
		return []string{"colormap_type"}
	}
	return nil
}

// parseStyle is what the parameters of a request say of a style. For a name that is not known,
// the error has the one that was probably meant.
func parseStyle(query url.Values, style layer.Style) (layer.Style, error) {
	parsed, err := tilehttp.ParseStyle(query, style)
	if err == nil {
		return parsed, nil
	}
	key := keyNamed(err.Error(), query)
	value, kind, names := query.Get(key), "", []string(nil)
	switch key {
	case "colormap_name":
		kind, names = "color map", colormap.Names()
	case "algorithm":
		kind, names = "algorithm", terrain.ModeNames()
	}
	if near, ok := nearest.To(value, names); ok && !slices.Contains(names, strings.ToLower(value)) {
		err = fmt.Errorf("%s: unknown %s %q; did you mean %q?", key, kind, value, near)
	}
	return style, err
}
