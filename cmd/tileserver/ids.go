package main

import (
	"fmt"
	"maps"
	"slices"
)

// ids gives layers their names. For as long as the process runs, an id that was made of the path
// of a file leads to no other file: whoever has an address of a map must not find another map
// there. A file that was away gets the id that it had. Only where files come and go for years,
// those that were away for long are forgotten.
type ids struct {
	given   map[address]name   // to files that the configuration gives none, by identity
	holders map[string]address // of ids, whether given or claimed
}

func newIDs() *ids {
	return &ids{given: make(map[address]name), holders: make(map[string]address)}
}

// clone is for a configuration that may be refused.
func (i *ids) clone() *ids { return &ids{given: maps.Clone(i.given), holders: maps.Clone(i.holders)} }

// give names the images of a list that have no name yet. A name that is taken, because its holder
// came earlier, is passed over.
func (i *ids) give(list []origin) {
	isNew := func(o origin) bool { _, isGiven := i.given[o.address]; return !isGiven }
	if !slices.ContainsFunc(list, isNew) {
		return
	}
	for _, o := range i.shortestForms(list) {
		if !isNew(o.origin) {
			continue
		}
		n := o.name(o.form)
		for !i.isFree(n.id, o.address) {
			o.form++
			n = o.name(o.form)
		}
		i.given[o.address], i.holders[n.id] = n, o.address
	}
}

// formed is an image with the form that its name is to have.
type formed struct {
	origin
	form int
}

// shortestForms finds for each image of a list the shortest form of its name that no other one has.
// Where two have the same, neither gets it: names must not depend on which file came first.
func (i *ids) shortestForms(list []origin) []formed {
	var found []formed
	open, listed := make([]origin, 0, len(list)), make(map[address]bool, len(list))
	for _, o := range list {
		if !listed[o.address] {
			listed[o.address] = true
			open = append(open, o)
		}
	}
	seen := make(map[string]bool)
	for form := pathForm; len(open) > 0; form++ {
		times := make(map[string]int, len(open))
		for _, o := range open {
			times[o.name(form).id]++
		}
		open = slices.DeleteFunc(open, func(o origin) bool {
			id := o.name(form).id
			holder, isHeld := i.holders[id]
			if times[id] > 1 || seen[id] || isHeld && holder != o.address && !listed[holder] {
				return false
			}
			found = append(found, formed{o, form})
			return true
		})
		for id := range times {
			seen[id] = true
		}
	}
	return found
}

// maxSpareIDs is how many ids are remembered that no layer has.
const maxSpareIDs = 100_000

// keepInBounds forgets all but what the layers of a list have, once that is much more.
func (i *ids) keepInBounds(list []wanted) {
	if max(len(i.given), len(i.holders))-len(list) <= maxSpareIDs {
		return
	}
	given, holders := make(map[address]name, len(list)), make(map[string]address, len(list))
	for _, w := range list {
		if n, ok := i.given[w.from]; ok {
			given[w.from], holders[n.id] = n, w.from
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
	if !isSafeID(id) {
		return fmt.Errorf("%q has characters other than letters, digits, \"-\", \"_\" and \".\"", id)
	}
	if holder := i.holders[id]; !i.isFree(id, a) && i.given[holder].id == id {
		return fmt.Errorf("%q is the id of %v; to use it for %v, restart the server", id, holder, a)
	}
	return nil
}

// claim takes an id that the configuration gives to an image.
func (i *ids) claim(id string, a address) { i.holders[id] = a }
