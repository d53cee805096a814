package gmljp2

import (
	"strconv"
	"strings"
)

// Reference names a reference system that the file itself defines: the label of a text, and the id
// of an element in it. A reference within the same text has no label.
type Reference struct{ Label, ID string }

// ParseReference splits the name of such a reference system; ok is false for other names.
func ParseReference(name string) (r Reference, ok bool) {
	for _, prefix := range []string{"urn:jp2k:xml:", "urn:ogc:tc:gmljp2:xml:", "gmljp2://xml/"} {
		if len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			name = name[len(prefix):]
			break
		}
	}
	r.Label, r.ID, ok = strings.Cut(name, "#")
	return r, ok && r.ID != "" && !strings.Contains(r.Label, "/")
}

// CodeInDictionary returns the EPSG code of the reference system with the given id; ok is false if
// the text has none.
func CodeInDictionary(text []byte, id string, limits Limits) (code int, ok bool) {
	p := codeParser{id: id}
	if err := newReader(text, limits.withDefaults()).read(p.begin, p.end); err != nil || p.code <= 0 {
		return 0, false
	}
	return p.code, true
}

// codeParser looks for the code of one definition, but not of its parts.
type codeParser struct {
	id    string
	depth int    // of the definition; 0 before its start
	space string // code space of the current name or identifier
	code  int
}

func (p *codeParser) begin(e element) {
	if p.depth == 0 && e.attribute("id") == p.id {
		p.depth = len(e.path)
	}
	p.space = e.attribute("codeSpace")
}

func (p *codeParser) end(e element, text string) (more bool) {
	if p.depth == 0 {
		return true
	}
	below := len(e.path) - p.depth
	isName := below == 2 && e.name() == "name" && (e.within("srsID") || e.within("crsID")) || below == 1 && e.name() == "identifier"
	if whole := p.space + ":" + text; isName && strings.Contains(strings.ToUpper(whole), "EPSG") {
		number := strings.TrimSpace(whole[strings.LastIndexByte(whole, ':')+1:])
		if code, err := strconv.Atoi(number); err == nil {
			p.code = code
		}
	}
	return p.code == 0 && below > 0
}
