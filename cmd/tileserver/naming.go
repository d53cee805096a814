package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	plaintext "tileserver/http/plain"
)

// origin is an image with the folder that its name begins below: the folder that is served, or the
// one that a named file lies in.
type origin struct {
	address
	root string
}

// originOf is the origin of a file that is named itself.
func originOf(a address) origin { return origin{a, filepath.Dir(a.path)} }

// name is what a layer is called: in addresses, and for people.
type name struct{ id, title string }

// The forms of a name, from the shortest one. They depend on the path only, not on which other
// files there are.
const (
	pathForm       = iota // sub-a
	extensionForm         // sub-a-tif
	folderForm            // folder-sub-a
	longForm              // folder-sub-a-tif
	firstShortHash        // folder-sub-a-tif-0123abcd; each later form has another hash
)

// maxTitleRunes is longer than the names of files are.
const maxTitleRunes = 300

// name is the name of an image in one of its forms.
func (o origin) name(form int) name {
	path, err := filepath.Rel(o.root, o.path)
	if err != nil {
		path = filepath.Base(o.path)
	}
	extension := filepath.Ext(path)
	stem, extended := strings.TrimSuffix(path, extension), form == extensionForm || form >= longForm
	if form >= folderForm {
		stem = filepath.Join(filepath.Base(o.root), stem)
	}
	id, title := stem, filepath.ToSlash(stem)
	if extended {
		id, title = stem+"-"+strings.TrimPrefix(extension, "."), title+extension
	}
	id, title = safeID(id), plaintext.Text(title, maxTitleRunes)
	if o.page > 1 {
		id, title = fmt.Sprintf("%s-%d", id, o.page), fmt.Sprintf("%s, page %d", title, o.page)
	}
	if form >= firstShortHash {
		hash := shortHash(fmt.Sprintf("%v %d", o.address, form))
		id, title = id+"-"+hash, title+" ("+hash+")"
	}
	return name{id, title}
}

// maxIDBytes bounds ids, because addresses are bounded.
const maxIDBytes = 200

// safeID turns a path into an id. Letters without accents, digits, "_" and "." stay, and all else
// becomes single dashes. A hash tells apart paths that lose letters of other scripts, and long ones,
// which are cut at the beginning.
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

// trimmedID has no dashes in a row, and neither dashes nor dots at its ends.
func trimmedID(id string) string {
	words := strings.FieldsFunc(id, func(r rune) bool { return r == '-' })
	return strings.Trim(strings.Join(words, "-"), "-.")
}

// isSafeID reports whether an id can be part of an address as it is.
func isSafeID(id string) bool {
	isOther := func(r rune) bool { return !isIDRune(r) }
	return id != "" && strings.Trim(id, "-.") == id && !strings.ContainsFunc(id, isOther)
}

func isIDRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

// shortHash tells texts apart.
func shortHash(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:4])
}
