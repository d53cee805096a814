package colormap

import "encoding/json"

// JSON returns the map in a form that ParseJSON reads. It has an explicit type, which takes
// precedence over the type that is passed to ParseJSON.
func (m *Map) JSON() string {
	described := struct {
		Type    string  `json:"type"`
		Entries [][]any `json:"entries"`
	}{Type: m.kind.String()}
	for _, e := range m.entries {
		described.Entries = append(described.Entries, e.elements(m.kind))
	}
	text, _ := json.Marshal(described) // fails for NaN and infinities only, which New rejects
	return string(text)
}

// elements returns the elements of the array that is the entry of a map.
func (e Entry) elements(of Kind) []any {
	elements := []any{e.Low, e.Color.String()}
	if of == Intervals {
		elements[0] = [...]float64{e.Low, e.High}
	}
	if e.Label != "" {
		elements = append(elements, e.Label)
	}
	return elements
}
