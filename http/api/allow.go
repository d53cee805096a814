package api

import "tileserver/access"

// allowDocument says what strangers may ask of a layer. A part that is left out allows everything.
type allowDocument struct {
	Formats    *[]string `json:"formats,omitempty"`
	Parameters *[]string `json:"parameters,omitempty"`
	MaxWidth   int       `json:"max_width,omitempty"`
	MaxHeight  int       `json:"max_height,omitempty"`
	MaxPixels  int       `json:"max_pixels,omitempty"`
	Values     *bool     `json:"values,omitempty"` // at points, and statistics
}

// allowDocumentOf returns nil for rules that allow everything.
func allowDocumentOf(rules *access.Rules) *allowDocument {
	if rules.IsOpen() {
		return nil
	}
	document := &allowDocument{MaxWidth: rules.Size.Width, MaxHeight: rules.Size.Height, MaxPixels: rules.Size.Pixels}
	if rules.Formats != nil {
		document.Formats = &rules.Formats
	}
	if rules.Parameters != nil {
		document.Parameters = &rules.Parameters
	}
	if rules.HideValues {
		document.Values = new(bool)
	}
	return document
}
