package config

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"

	"tileserver/config/strictyaml"
	"tileserver/style"
)

// A Style is a style as it is written. Its keys are the parameters of a request.
type Style struct {
	Bidx            []int          `yaml:"bidx"`
	Bands           []string       `yaml:"bands"`
	Expression      string         `yaml:"expression"`
	Unscale         bool           `yaml:"unscale"`
	Complex         string         `yaml:"complex"`
	Algorithm       string         `yaml:"algorithm"`
	AlgorithmParams map[string]any `yaml:"algorithm_params"`
	Rescale         []string       `yaml:"rescale"`
	Stretch         string         `yaml:"stretch"`
	Statistics      string         `yaml:"statistics"`
	ColorFormula    string         `yaml:"color_formula"`
	ColormapName    string         `yaml:"colormap_name"`
	Colormap        any            `yaml:"colormap"`
	ColormapType    string         `yaml:"colormap_type"`
	Background      string         `yaml:"background"`
	Resampling      string         `yaml:"resampling"`
	NoData          *float64       `yaml:"nodata"`
}

// A NamedStyle is a style that requests select by its name.
type NamedStyle struct {
	Name  string `yaml:"name"`
	Title string `yaml:"title"`
	Style `yaml:",inline"`
}

// Parse returns the style that a request with the same parameters selects. The error may be
// styleMistakes.
func (s *Style) Parse() (style.Style, error) {
	query, err := s.query()
	if err != nil {
		return style.Style{}, err
	}
	parsed, err := style.Parse(query, style.Style{NoData: s.NoData})
	if err != nil {
		return style.Style{}, mistakesIn(query)
	}
	return parsed, nil
}

// query returns the style as parameters of a request, but for nodata: the configuration takes .inf
// and .nan for it, which requests cannot say.
func (s *Style) query() (url.Values, error) {
	query := make(url.Values)
	fields := reflect.ValueOf(s).Elem()
	for _, key := range strictyaml.Keys(fields.Type()) {
		field, _ := strictyaml.Field(fields, key)
		texts, err := parameterTexts(field)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		if texts != nil {
			query[key] = texts
		}
	}
	return query, nil
}

// parameterTexts returns the value of a key as values of a parameter, or nil if it is empty. Maps,
// and what may be a map or a list, are JSON in requests.
func parameterTexts(field reflect.Value) (texts []string, err error) {
	if field.IsZero() || field.Kind() == reflect.Map && field.Len() == 0 {
		return nil, nil
	}
	switch field.Kind() {
	case reflect.String, reflect.Bool:
		texts = []string{fmt.Sprint(field.Interface())}
	case reflect.Slice:
		for i := range field.Len() {
			texts = append(texts, fmt.Sprint(field.Index(i).Interface()))
		}
	case reflect.Map, reflect.Interface:
		return jsonTexts(field.Interface())
	}
	return texts, nil
}

// jsonTexts returns a YAML value as JSON.
func jsonTexts(value any) ([]string, error) {
	text, err := json.Marshal(withTextKeys(value))
	if err != nil {
		return nil, errNoJSON
	}
	return []string{string(text)}, nil
}

// withTextKeys converts a YAML value, whose keys may be numbers, to one that JSON can represent.
func withTextKeys(value any) any {
	switch v := value.(type) {
	case map[any]any:
		texts := make(map[string]any, len(v))
		for key, item := range v {
			texts[fmt.Sprint(key)] = withTextKeys(item)
		}
		return texts
	case map[string]any:
		texts := make(map[string]any, len(v))
		for key, item := range v {
			texts[key] = withTextKeys(item)
		}
		return texts
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = withTextKeys(item)
		}
		return items
	}
	return value
}

// ParseStyles returns the named styles that the configuration lists at a location.
func ParseStyles(named []NamedStyle, list Location) ([]style.Named, error) {
	var styles []style.Named
	var found Mistakes
	for i := range named {
		place := list.entry(i)
		parsed, err := named[i].Parse()
		if err != nil {
			found.Add(place.Mistake(err))
		}
		if err := style.CheckName(named[i].Name, styles); err != nil {
			if named[i].Name != "" {
				place = place.At("name")
			}
			found.Add(place.Mistake(err))
		}
		title := named[i].Title
		if title == "" {
			title = named[i].Name
		}
		styles = append(styles, style.Named{Name: named[i].Name, Title: title, Style: parsed})
	}
	return styles, found.Err()
}
