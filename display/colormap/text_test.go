package colormap

import "encoding/json"

// jsonOf returns a map in a form that ParseJSON reads. It has an explicit type, which takes
// precedence over the type that is passed to ParseJSON.
func jsonOf(m *Map) string {
	described := struct {
		Type    string  `json:"type"`
		Entries [][]any `json:"entries"`
	}{Type: m.kind.String()}
	for _, e := range m.entries {
		described.Entries = append(described.Entries, elementsOf(e, m.kind))
	}
	text, _ := json.Marshal(described) // fails for NaN and infinities only, which New rejects
	return string(text)
}

// elementsOf returns the elements of the array that is an entry of a map.
func elementsOf(e Entry, of Kind) []any {
	elements := []any{e.Low, e.Color.String()}
	if of == Intervals {
		elements[0] = [...]float64{e.Low, e.High}
	}
	if e.Label != "" {
		elements = append(elements, e.Label)
	}
	return elements
}
