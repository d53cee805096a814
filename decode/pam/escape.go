package pam

import "strings"

// unescapedAgain is the text of an item of the tag. GDAL escapes it for XML before it
// writes the XML, which escapes it once more; others that write the tag do not. What
// cannot have been escaped, for a bracket or an ampersand that stands for itself, is
// left as it is; what can is read as GDAL reads it.
func unescapedAgain(text string) string {
	if !strings.Contains(text, "&") || strings.Contains(text, "<") {
		return text
	}
	var b strings.Builder
	for rest := text; ; {
		before, entity, found := strings.Cut(rest, "&")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, ended := strings.Cut(entity, ";")
		character := entityNamed(name)
		if !ended || character == "" {
			return text
		}
		b.WriteString(character)
		rest = after
	}
}

// entityNamed is the character that GDAL writes so, or empty.
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
