package ogcapi

import (
	"fmt"
	"strings"

	"tileserver/http/accept"
)

// Format is a format of responses that a client may choose.
type Format struct {
	Name  string   // as the parameter f has it
	Title string   // for HTML pages
	Types []string // the accepted media types; responses have the first one
}

// DocumentFormats returns the formats of documents.
func DocumentFormats() []Format {
	return []Format{{"json", "JSON", []string{MIMEJSON}}, {"html", "HTML", []string{MIMEHTML, "application/xhtml+xml"}}}
}

// DefinitionFormats returns the formats of the OpenAPI definition.
func DefinitionFormats() []Format {
	return []Format{
		{"json", "JSON", []string{MIMEOpenAPI, MIMEJSON, "application/openapi+json"}},
		{"html", "HTML", []string{MIMEHTML, "application/xhtml+xml"}},
	}
}

// PictureFormats returns the formats of maps and tiles.
func PictureFormats() []Format {
	return []Format{{"png", "PNG", []string{"image/png"}}, {"jpeg", "JPEG", []string{"image/jpeg", "image/jpg"}}, {"webp", "WebP", []string{"image/webp"}}}
}

// Choose returns the format that a request prefers: the one that f names, else the best match of
// the Accept headers in lists. It returns false if there is none.
func Choose(formats []Format, f string, lists []string) (Format, bool) {
	if f != "" {
		return named(formats, f)
	}
	offers := make([][]string, len(formats))
	for i, format := range formats {
		for _, mime := range format.Types {
			offers[i] = append(offers[i], withoutParameters(mime))
		}
	}
	chosen, ok := accept.Parse(lists).Choose(offers...)
	if !ok {
		return Format{}, false
	}
	return formats[chosen], true
}

// named finds a format by its name or one of its media types.
func named(formats []Format, f string) (Format, bool) {
	f = strings.ToLower(f)
	if f == "jpg" {
		f = "jpeg"
	}
	for _, format := range formats {
		if format.Name == f {
			return format, true
		}
		for _, mime := range format.Types {
			if withoutParameters(mime) == f || mime == f {
				return format, true
			}
		}
	}
	return Format{}, false
}

// Names lists formats for messages.
func Names(formats []Format) string {
	names := make([]string, len(formats))
	for i, format := range formats {
		names[i] = fmt.Sprintf("f=%s (%s)", format.Name, format.Types[0])
	}
	return strings.Join(names, ", ")
}

// withoutParameters returns a media type without its parameters.
func withoutParameters(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	return mime
}
