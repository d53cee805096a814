package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	plaintext "tileserver/http/plain"
)

// ids gives layers their ids. For as long as the process runs, an id that was made of the
// name of a file leads to no other file: whoever has an address of a map must not find
// another map there. A file that was away gets the id that it had. Only where files come and
// go for years, those that were away for long are forgotten.
type ids struct {
	given   map[address]string // to files that the configuration gives none, by identity
	holders map[string]address // of ids, whether given or claimed
}

func newIDs() *ids {
	return &ids{given: make(map[address]string), holders: make(map[string]address)}
}

// clone is for a configuration that may be refused.
func (i *ids) clone() *ids { return &ids{given: maps.Clone(i.given), holders: maps.Clone(i.holders)} }

// of is the id for an image: the name of its file without the extension, made safe for a
// URL, with its number if it is not the first one, and with a number behind it if that is
// another's.
func (i *ids) of(a address) string {
	if id, ok := i.given[a]; ok {
		return id
	}
	base := filepath.Base(a.path)
	base = safeID(strings.TrimSuffix(base, filepath.Ext(base)))
	if a.page > 1 {
		base += fmt.Sprintf("-%d", a.page)
	}
	id := base
	for n := 2; !i.isFree(id, a); n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	i.given[a], i.holders[id] = id, a
	return id
}

// maxSpareIDs is how many ids are remembered that no layer has.
const maxSpareIDs = 100_000

// keepInBounds forgets all but what the layers of a list have, once that is much more.
func (i *ids) keepInBounds(list []wanted) {
	if max(len(i.given), len(i.holders))-len(list) <= maxSpareIDs {
		return
	}
	given, holders := make(map[address]string, len(list)), make(map[string]address, len(list))
	for _, w := range list {
		if id, ok := i.given[w.from]; ok {
			given[w.from], holders[id] = id, w.from
		}
	}
	for _, w := range list {
		holders[w.id] = w.from
	}
	i.given, i.holders = given, holders
}

// isFree tells whether an id is nobody's but perhaps that of an image.
func (i *ids) isFree(id string, a address) bool {
	holder, held := i.holders[id]
	return !held || holder == a
}

// mayClaim tells whether the configuration may give an id to an image. It may move its own
// ids from one image to another, for that is what it says.
func (i *ids) mayClaim(id string, a address) error {
	if id != safeID(id) {
		return fmt.Errorf("%q has characters other than letters, digits, \"-\", \"_\" and \".\"", id)
	}
	if holder := i.holders[id]; !i.isFree(id, a) && i.given[holder] == id {
		return fmt.Errorf("%q is the id of %v; to use it for %v, restart the server", id, holder, a)
	}
	return nil
}

// claim takes an id that the configuration gives to an image.
func (i *ids) claim(id string, a address) { i.holders[id] = a }

// maxTitleRunes is longer than the names of files are.
const maxTitleRunes = 300

// titleOf returns the name of an image for people: that of its file, with its number if it is not
// the first one.
func titleOf(a address) string {
	name := filepath.Base(a.path)
	title := plaintext.Text(strings.TrimSuffix(name, filepath.Ext(name)), maxTitleRunes)
	if a.page > 1 {
		title += fmt.Sprintf(", page %d", a.page)
	}
	return title
}

// safeID keeps letters, digits, "-", "_" and "." of a name.
func safeID(name string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		default:
			return '-'
		}
	}, name)
	if id = strings.Trim(id, "-."); id == "" {
		return "layer"
	}
	return id
}
