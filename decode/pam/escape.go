package pam

import "strings"

// unescapeItem returns the text of an item of the tag. GDAL escapes the text before it encodes it
// as XML, so the text is escaped twice; other programs escape it once. A text that contains an
// unescaped bracket or ampersand is returned unchanged. Any other text is unescaped once more, as
// GDAL does.
func unescapeItem(text string) string {
	if !strings.Contains(text, "&") || strings.Contains(text, "<") {
		return text
	}
	var b strings.Builder
	for rest := text; ; {
		prefix, entity, found := strings.Cut(rest, "&")
		b.WriteString(prefix)
		if !found {
			return b.String()
		}
		name, suffix, ended := strings.Cut(entity, ";")
		character := entityNamed(name)
		if !ended || character == "" {
			return text
		}
		b.WriteString(character)
		rest = suffix
	}
}

// entityNamed returns the character of an entity that GDAL writes, or an empty string.
func entityNamed(name string) string {
	switch name {
	case "amp":
		return "&"
	case "lt":
		return "<"
	case "gt":
		return ">"
	case "quot":
		return `"`
	case "apos":
		return "'"
	case "#xFEFF":
		return "\uFEFF"
	}
	return ""
}
