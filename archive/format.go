package archive

import "bytes"

// Format is what kind of files the tiles are.
type Format int

const (
	Mixed  Format = iota // of several kinds, or of a kind that no archive names
	PNG                  // pictures
	JPEG                 // pictures
	WebP                 // pictures
	AVIF                 // pictures
	Vector               // vector tiles, which are compressed by gzip as a rule
)

// Extension returns the extension of files, which MBTiles uses as the name. It is empty for Mixed.
func (f Format) Extension() string {
	return [...]string{Mixed: "", PNG: "png", JPEG: "jpg", WebP: "webp", AVIF: "avif", Vector: "pbf"}[f]
}

// MediaType returns the media type of files. It is empty for Mixed, whose files must be looked at.
func (f Format) MediaType() string {
	return [...]string{
		Mixed: "", PNG: "image/png", JPEG: "image/jpeg", WebP: "image/webp", AVIF: "image/avif",
		Vector: "application/vnd.mapbox-vector-tile",
	}[f]
}

// FormatNamed returns the format with an extension, or Mixed.
func FormatNamed(extension string) Format {
	for format := PNG; format <= Vector; format++ {
		if format.Extension() == extension {
			return format
		}
	}
	if extension == "jpeg" {
		return JPEG
	}
	return Mixed
}

// FormatOf returns the format of a picture by its first bytes, or Mixed. It does not recognize vector tiles.
func FormatOf(content []byte) Format {
	begins := func(at int, with string) bool {
		return len(content) >= at && bytes.HasPrefix(content[at:], []byte(with))
	}
	switch {
	case begins(0, "\x89PNG\r\n\x1a\n"):
		return PNG
	case begins(0, "\xff\xd8\xff"):
		return JPEG
	case begins(0, "RIFF") && begins(8, "WEBP"):
		return WebP
	case begins(4, "ftypavif"), begins(4, "ftypavis"):
		return AVIF
	}
	return Mixed
}
