package ogcapi

import (
	"fmt"
	"strconv"
	"strings"
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
// what its Accept headers like best, else the first. Of formats that are liked equally one
// that is named goes before one that a wildcard means: browsers name text/html, and */* as
// well. It is false where nothing of it is offered.
func Choose(formats []Format, f string, accept []string) (Format, bool) {
	if f != "" {
		return named(formats, f)
	}
	ranges := parseAccept(accept)
	if len(ranges) == 0 {
		return formats[0], true
	}
	var chosen Format
	var best liking
	for _, format := range formats {
		if likes := likingOf(format, ranges); likes.moreThan(best) {
			chosen, best = format, likes
		}
	}
	return chosen, best.quality > 0
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

// mediaRange is a part of an Accept header.
type mediaRange struct {
	mime    string
	quality float64
}

// maxMediaRanges is how much of Accept headers is read; browsers send less than ten.
const maxMediaRanges = 64

func parseAccept(accept []string) []mediaRange {
	var ranges []mediaRange
	for _, list := range accept {
		for part := range strings.SplitSeq(list, ",") {
			mime, parameters, _ := strings.Cut(part, ";")
			mime = strings.ToLower(strings.TrimSpace(mime))
			if mime == "" {
				continue
			}
			if len(ranges) == maxMediaRanges {
				return ranges
			}
			ranges = append(ranges, mediaRange{mime, qualityOf(parameters)})
		}
	}
	return ranges
}

// qualityOf is how much a media type is liked, 1 where that is not said, or not understood.
func qualityOf(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			if quality, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && quality >= 0 && quality <= 1 {
				return quality
			}
		}
	}
	return 1
}

// liking is how much a client wants something, and how exactly it says so.
type liking struct {
	quality  float64
	nearness int
}

func (l liking) moreThan(other liking) bool {
	return l.quality > other.quality || l.quality > 0 && l.quality == other.quality && l.nearness > other.nearness
}

// likingOf is what the range says that names a format most exactly.
func likingOf(format Format, ranges []mediaRange) liking {
	found := liking{nearness: -1}
	for _, r := range ranges {
		for _, mime := range format.Types {
			if near := nearness(r.mime, bare(mime)); near > found.nearness || near >= 0 && near == found.nearness && r.quality > found.quality {
				found = liking{r.quality, near}
			}
		}
	}
	return found
}

// nearness is how exactly a range names a media type; below 0 it does not.
func nearness(mediaRange, mime string) int {
	kind, _, _ := strings.Cut(mime, "/")
	switch mediaRange {
	case mime:
		return 2
	case kind + "/*":
		return 1
	case "*/*", "*":
		return 0
	}
	return -1
}

// bare is a media type without its parameters.
func bare(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	return mime
}
