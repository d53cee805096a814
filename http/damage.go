package http

import (
	"strconv"
	"strings"

	"tileserver/raster"
)

// damageHeader reports that the picture or document is incomplete because the file is damaged. Its
// value is a dictionary of RFC 8941 with the number of lost parts of each kind:
// "code-blocks=3, incomplete-tiles=1". "more" means that the count is not complete.
const damageHeader = "Tileserver-Damage"

// setDamage sets the header if anything is lost.
func (e *exchange) setDamage(d raster.Damage) {
	if !d.IsZero() {
		e.Header().Set(damageHeader, damageValue(d))
	}
}

func damageValue(d raster.Damage) string {
	var members []string
	for _, c := range d.Counts() {
		members = append(members, partsKey(c.Kind)+"="+strconv.Itoa(c.Count))
	}
	if d.HasMore() {
		members = append(members, "more")
	}
	return strings.Join(members, ", ")
}

// partsKey returns the name of a kind of parts in headers and documents: "missing-tiles".
func partsKey(part string) string { return strings.ReplaceAll(part, " ", "-") + "s" }

// damageDocument lists the known damage of a layer.
type damageDocument struct {
	Parts map[string]int `json:"parts"` // counts by kind, as in the header
	Notes []string       `json:"notes"` // the first losses, with reasons
	More  bool           `json:"more"`  // the counts are not complete
}

// maxDamageNotes bounds the losses that a document lists one by one.
const maxDamageNotes = 8

// damageDocumentOf returns nil if no damage is known.
func damageDocumentOf(d raster.Damage) *damageDocument {
	if d.IsZero() {
		return nil
	}
	document := &damageDocument{Parts: make(map[string]int), More: d.HasMore()}
	for _, c := range d.Counts() {
		document.Parts[partsKey(c.Kind)] = c.Count
	}
	for _, loss := range d.Losses()[:min(len(d.Losses()), maxDamageNotes)] {
		document.Notes = append(document.Notes, loss.Text)
	}
	return document
}
