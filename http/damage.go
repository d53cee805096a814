package http

import (
	"strconv"
	"strings"

	"tileserver/raster"
)

// damageHeader tells that what an answer shows is incomplete because the file is damaged there.
// Its value is a dictionary of RFC 8941 with how many parts of each kind are lost:
// "code-blocks=3, incomplete-tiles=1". "more" says that there are others.
const damageHeader = "Tileserver-Damage"

// tellDamage sets the header, if anything is lost.
func (e *exchange) tellDamage(d raster.Damage) {
	if !d.IsZero() {
		e.Header().Set(damageHeader, damageValue(d))
	}
}

func damageValue(d raster.Damage) string {
	var members []string
	for _, c := range d.Counts() {
		members = append(members, partsKey(c.Part)+"="+strconv.Itoa(c.Count))
	}
	if d.HasMore() {
		members = append(members, "more")
	}
	return strings.Join(members, ", ")
}

// partsKey is the name of a kind of parts in headers and documents: "missing-tiles".
func partsKey(part string) string { return strings.ReplaceAll(part, " ", "-") + "s" }

// damageDocument is what is known to be lost of a layer.
type damageDocument struct {
	Parts map[string]int `json:"parts"` // how many of each kind, as in the header
	Notes []string       `json:"notes"` // the first of them, with the reason
	More  bool           `json:"more"`  // there are others
}

// maxDamageNotes is how many losses a document tells one by one.
const maxDamageNotes = 8

// damageDocumentOf is nil where nothing is known to be lost.
func damageDocumentOf(d raster.Damage) *damageDocument {
	if d.IsZero() {
		return nil
	}
	document := &damageDocument{Parts: make(map[string]int), More: d.HasMore()}
	for _, c := range d.Counts() {
		document.Parts[partsKey(c.Part)] = c.Count
	}
	for _, loss := range d.Losses()[:min(len(d.Losses()), maxDamageNotes)] {
		document.Notes = append(document.Notes, loss.Text)
	}
	return document
}
