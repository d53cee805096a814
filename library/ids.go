package library

import (
	"fmt"
	"maps"
	"slices"

	"tileserver/dataset"
)

// ids assigns ids to layers. While the process runs, an id made from a file's path never leads to
// another file, so that an address never shows another map. A file that returns gets its old id
// back. Only when very many files come and go are the oldest assignments discarded.
type ids struct {
	assigned map[dataset.Address]name   // assigned, by canonical address of the image
	holders  map[string]dataset.Address // of assigned and of configured ids
}

func newIDs() *ids {
	return &ids{assigned: make(map[dataset.Address]name), holders: make(map[string]dataset.Address)}
}

// clone returns a copy for a configuration that may be rejected.
func (i *ids) clone() *ids {
	return &ids{assigned: maps.Clone(i.assigned), holders: maps.Clone(i.holders)}
}

// assign names the images of a list that have no name yet. It skips names that are already taken.
func (i *ids) assign(list []origin) {
	isNew := func(o origin) bool { _, isAssigned := i.assigned[o.Address]; return !isAssigned }
	if !slices.ContainsFunc(list, isNew) {
		return
	}
	for _, o := range i.shortestForms(list) {
		if !isNew(o.origin) {
			continue
		}
		n := o.name(o.form)
		for !i.isFree(n.id, o.Address) {
			o.form++
			n = o.name(o.form)
		}
		i.assigned[o.Address], i.holders[n.id] = n, o.Address
	}
}

// imageForm is an image with the form of its name.
type imageForm struct {
	origin
	form int
}

// shortestForms finds for each image of a list the shortest form of its name that is unique. If two
// images share a form, neither gets it: names must not depend on which file came first.
func (i *ids) shortestForms(list []origin) []imageForm {
	var found []imageForm
	open, listed := make([]origin, 0, len(list)), make(map[dataset.Address]bool, len(list))
	for _, o := range list {
		if !listed[o.Address] {
			listed[o.Address] = true
			open = append(open, o)
		}
	}
	used := make(map[string]bool)
	for form := pathForm; len(open) > 0; form++ {
		counts := make(map[string]int, len(open))
		for _, o := range open {
			counts[o.name(form).id]++
		}
		open = slices.DeleteFunc(open, func(o origin) bool {
			id := o.name(form).id
			holder, isTaken := i.holders[id]
			if counts[id] > 1 || used[id] || isTaken && holder != o.Address && !listed[holder] {
				return false
			}
			found = append(found, imageForm{o, form})
			return true
		})
		for id := range counts {
			used[id] = true
		}
	}
	return found
}

// maxSpareIDs bounds the ids that are remembered without a layer.
const maxSpareIDs = 100_000

// prune discards the ids without a layer once they exceed maxSpareIDs.
func (i *ids) prune(list []desiredLayer) {
	if max(len(i.assigned), len(i.holders))-len(list) <= maxSpareIDs {
		return
	}
	assigned, holders := make(map[dataset.Address]name, len(list)), make(map[string]dataset.Address, len(list))
	for _, w := range list {
		if n, ok := i.assigned[w.image]; ok {
			assigned[w.image], holders[n.id] = n, w.image
		}
	}
	for _, w := range list {
		holders[w.id] = w.image
	}
	i.assigned, i.holders = assigned, holders
}

// isFree reports whether no other image has an id.
func (i *ids) isFree(id string, a dataset.Address) bool {
	holder, isTaken := i.holders[id]
	return !isTaken || holder == a
}

// checkClaim returns an error if the configuration may not give an id to an image. The
// configuration may move an id that it has set from one image to another.
func (i *ids) checkClaim(id string, a dataset.Address) error {
	if !isTrimmedIdentifier(id) {
		return fmt.Errorf("%q has characters other than letters, digits, \"-\", \"_\" and \".\"", id)
	}
	if holder := i.holders[id]; !i.isFree(id, a) && i.assigned[holder].id == id {
		return fmt.Errorf("%q is the id of %v; to use it for %v, restart the server", id, holder, a)
	}
	return nil
}

// claim records that the configuration gives an id to an image.
func (i *ids) claim(id string, a dataset.Address) { i.holders[id] = a }
