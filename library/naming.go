package library

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"tileserver/dataset"
	plaintext "tileserver/http/plain"
	"tileserver/identifier"
	"tileserver/source"
)

// origin is an image with the folder that its name is relative to: the folder that is served, or
// the parent of a file that is named itself.
type origin struct {
	dataset.Address
	root string
}

// originOf returns the origin of a file that is named itself.
func originOf(a dataset.Address) origin { return origin{a, source.Folder(a.Path)} }

// name is the id of a layer in addresses and its title for people.
type name struct{ id, title string }

// The forms of a name, shortest first. A form depends on the path only, never on other files.
const (
	pathForm       = iota // sub-a
	extensionForm         // sub-a-tif
	folderForm            // folder-sub-a
	longForm              // folder-sub-a-tif
	firstShortHash        // folder-sub-a-tif-0123abcd; each later form has another hash
)

// maxTitleRunes exceeds the length of common file names.
const maxTitleRunes = 300

// name returns the name of an image in one of its forms.
func (o origin) name(form int) name {
	path := source.NameFrom(o.root, o.Path)
	extension := filepath.Ext(path)
	stem, extended := strings.TrimSuffix(path, extension), form == extensionForm || form >= longForm
	if form >= folderForm {
		stem = source.Join(source.Base(o.root), stem)
	}
	id, title := stem, filepath.ToSlash(stem)
	if extended {
		id, title = stem+"-"+strings.TrimPrefix(extension, "."), title+extension
	}
	id, title = safeID(id), plaintext.Text(title, maxTitleRunes)
	if o.Number > 1 {
		id, title = fmt.Sprintf("%s-%d", id, o.Number), fmt.Sprintf("%s, page %d", title, o.Number)
	}
	if form >= firstShortHash {
		hash := shortHash(fmt.Sprintf("%s %d", o.Written(), form))
		id, title = id+"-"+hash, title+" ("+hash+")"
	}
	return name{id, title}
}

// maxIDBytes bounds ids, since URLs are bounded.
const maxIDBytes = 200

// safeID turns a path into an id. It keeps letters, digits, "_" and ".", strips accents, and turns
// all else into single dashes. A hash distinguishes paths that lose letters of other scripts. It
// also distinguishes long paths, which lose their beginning.
func safeID(path string) string {
	var id strings.Builder
	isLossy := false
	for _, r := range path {
		switch text, known := asciiOf(r); {
		case known:
			id.WriteString(text)
		default:
			isLossy = isLossy || unicode.IsLetter(r) || unicode.IsNumber(r) || r == unicode.ReplacementChar
			id.WriteByte('-')
		}
	}
	safe := trimmedID(id.String())
	if len(safe) > maxIDBytes {
		isLossy, safe = true, trimmedID(safe[len(safe)-maxIDBytes:])
	}
	if safe == "" {
		safe = "layer"
	}
	if isLossy {
		safe += "-" + shortHash(path)
	}
	return safe
}

// trimmedID removes repeated dashes, and dashes and dots at both ends.
func trimmedID(id string) string {
	words := strings.FieldsFunc(id, func(r rune) bool { return r == '-' })
	return strings.Trim(strings.Join(words, "-"), "-.")
}

// isTrimmedIdentifier reports whether an id is an identifier that neither begins nor ends with a dash
// or a dot. safeID makes such ids, and the configuration may set no others.
func isTrimmedIdentifier(id string) bool {
	return identifier.IsValid(id) && strings.Trim(id, "-.") == id
}

// shortHash returns eight hexadecimal digits of a hash of a text.
func shortHash(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:4])
}
