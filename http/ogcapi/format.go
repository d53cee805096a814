package ogcapi

import (
	"fmt"
	"strings"

	"tileserver/http/accept"
)

// Format is a kind of answer that a client may choose.
type Format struct {
	Name  string   // as f names it
	Title string   // for people
	Types []string // the media types that ask for it; the first is what is sent
}

// DocumentFormats are those of documents.
func DocumentFormats() []Format {
	return []Format{{"json", "JSON", []string{MIMEJSON}}, {"html", "HTML", []string{MIMEHTML, "application/xhtml+xml"}}}
}

// DefinitionFormats are those of the definition of the API.
func DefinitionFormats() []Format {
	return []Format{
		{"json", "JSON", []string{MIMEOpenAPI, MIMEJSON, "application/openapi+json"}},
		{"html", "HTML", []string{MIMEHTML, "application/xhtml+xml"}},
	}
}

// PictureFormats are those of maps and tiles.
func PictureFormats() []Format {
	return []Format{{"png", "PNG", []string{"image/png"}}, {"jpeg", "JPEG", []string{"image/jpeg", "image/jpg"}}, {"webp", "WebP", []string{"image/webp"}}}
}

// Choose finds the format that a client wants of those that there are: what f names, else
// what its Accept headers like best, else the first. It is false where nothing of it is
// offered.
func Choose(formats []Format, f string, lists []string) (Format, bool) {
	if f != "" {
		return named(formats, f)
	}
	offers := make([][]string, len(formats))
	for i, format := range formats {
		for _, mime := range format.Types {
			offers[i] = append(offers[i], bare(mime))
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
			if bare(mime) == f || mime == f {
				return format, true
			}
		}
	}
	return Format{}, false
}

// Names lists formats for people.
func Names(formats []Format) string {
	names := make([]string, len(formats))
	for i, format := range formats {
		names[i] = fmt.Sprintf("f=%s (%s)", format.Name, format.Types[0])
	}
	return strings.Join(names, ", ")
}

// bare is a media type without its parameters.
func bare(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	return mime
}
