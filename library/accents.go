package library

import (
	"strings"

	"tileserver/identifier"
)

// accentedLetters lists letters of European languages by their replacement in an id.
var accentedLetters = []struct{ base, letters string }{
	{"a", "àáâãäåāăąǎ"}, {"c", "çćĉċč"}, {"d", "ďđð"}, {"e", "èéêëēĕėęě"}, {"g", "ĝğġģǧ"}, {"h", "ĥħ"}, {"i", "ìíîïĩīĭįıǐ"},
	{"j", "ĵ"}, {"k", "ķ"}, {"l", "ĺļľŀł"}, {"n", "ñńņňŋ"}, {"o", "òóôõöøōŏőǒ"}, {"r", "ŕŗř"}, {"s", "śŝşšș"}, {"t", "ţťŧț"},
	{"u", "ùúûüũūŭůűųǔ"}, {"w", "ŵ"}, {"y", "ýÿŷ"}, {"z", "źżž"}, {"ae", "æ"}, {"oe", "œ"}, {"ss", "ß"}, {"th", "þ"},
	{"A", "ÀÁÂÃÄÅĀĂĄǍ"}, {"C", "ÇĆĈĊČ"}, {"D", "ĎĐÐ"}, {"E", "ÈÉÊËĒĔĖĘĚ"}, {"G", "ĜĞĠĢǦ"}, {"H", "ĤĦ"}, {"I", "ÌÍÎÏĨĪĬĮİǏ"},
	{"J", "Ĵ"}, {"K", "Ķ"}, {"L", "ĹĻĽĿŁ"}, {"N", "ÑŃŅŇŊ"}, {"O", "ÒÓÔÕÖØŌŎŐǑ"}, {"R", "ŔŖŘ"}, {"S", "ŚŜŞŠȘ"}, {"T", "ŢŤŦȚ"},
	{"U", "ÙÚÛÜŨŪŬŮŰŲǓ"}, {"W", "Ŵ"}, {"Y", "ÝŸŶ"}, {"Z", "ŹŻŽ"}, {"AE", "Æ"}, {"OE", "Œ"}, {"SS", "ẞ"}, {"Th", "Þ"},
}

// asciiOf returns the replacement of a character in an id; known is false if it has none. A
// combining accent, as in names from macOS, is dropped.
func asciiOf(r rune) (text string, known bool) {
	switch {
	case identifier.Allows(r):
		return string(r), true
	case r >= '\u0300' && r <= '\u036f':
		return "", true
	case r < 'À' || r > 'ț' && r != 'ẞ':
		return "", false
	}
	for _, of := range accentedLetters {
		if strings.ContainsRune(of.letters, r) {
			return of.base, true
		}
	}
	return "", false
}
