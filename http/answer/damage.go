package answer

import (
	"strconv"
	"strings"

	"tileserver/raster"
)

// damageHeader reports that the picture or document is incomplete because the file is damaged. Its
// value is a dictionary of RFC 8941 with the number of lost parts of each kind:
// "code-blocks=3, incomplete-tiles=1". "more" means that the count is not complete.
const damageHeader = "Tileserver-Damage"

// SetDamage reports damage in a header if anything is lost.
func (e *Exchange) SetDamage(d raster.Damage) {
	if !d.IsZero() {
		e.Header().Set(damageHeader, damageValue(d))
	}
}

func damageValue(d raster.Damage) string {
	var members []string
	for _, c := range d.Counts() {
		members = append(members, DamageKey(c.Kind)+"="+strconv.Itoa(c.Count))
	}
	if d.HasMore() {
		members = append(members, "more")
	}
	return strings.Join(members, ", ")
}

// DamageKey returns the name of a kind of parts in headers and documents: "missing-tiles".
func DamageKey(part string) string { return strings.ReplaceAll(part, " ", "-") + "s" }
