package api

import (
	"tileserver/http/answer"
	"tileserver/raster"
)

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
		document.Parts[answer.DamageKey(c.Kind)] = c.Count
	}
	for _, loss := range d.Losses()[:min(len(d.Losses()), maxDamageNotes)] {
		document.Notes = append(document.Notes, loss.Text)
	}
	return document
}
