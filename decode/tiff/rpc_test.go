package tiff

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// rpcNumber returns the number at an index of the tag.
func rpcNumber(place int) float64 { return float64(place) + 0.25 }

// rpcText writes an RPC as lines. name gives the name of a field, and line is the format of a line.
func rpcText(name func(rpcField) string, line string) string {
	var b strings.Builder
	for _, f := range new(RPC).fields() {
		fmt.Fprintf(&b, line, name(f), rpcNumber(f.index))
	}
	return b.String()
}

// rpcLists writes an RPC with its coefficients as lists.
func rpcLists(name func(rpcField) string, number, list string) string {
	var b strings.Builder
	var coefficients []string
	for _, f := range new(RPC).fields() {
		const firstCoefficient = 12
		if f.index < firstCoefficient {
			fmt.Fprintf(&b, number, name(f), rpcNumber(f.index))
			continue
		}
		at := strings.LastIndexByte(name(f), '_')
		base, index := name(f)[:at], name(f)[at+1:]
		coefficients = append(coefficients, fmt.Sprint(rpcNumber(f.index)))
		if index == "20" {
			fmt.Fprintf(&b, list, base, coefficients)
			coefficients = nil
		}
	}
	return b.String()
}

func TestRPC(t *testing.T) {
	tag := make([]float64, 92)
	for i := range tag {
		tag[i] = rpcNumber(i)
	}
	plain, withTag, shortTag := flat(5, 4, 1), flat(5, 4, 1), flat(5, 4, 1)
	withTag.Tags = []tifftest.Tag{{ID: uint16(tagRPC), Value: tag}}
	shortTag.Tags = []tifftest.Tag{{ID: uint16(tagRPC), Value: tag[:91]}}
	textName, rpbName := func(f rpcField) string { return f.text }, func(f rpcField) string { return f.rpb }
	text := rpcText(textName, "%s: %+f pixels\r\n")
	rpb := "satId = \"??\";\nBEGIN_GROUP = IMAGE\n\terrBias = 0.0;\n" +
		strings.NewReplacer("[", "(", "]", ")", " 1", ",\n\t1").Replace(rpcLists(rpbName, "\t%s = %v;\n", "\t%s = %v;\n")) + "END_GROUP = IMAGE\nEND;\n"
	noted := "<PAMDataset><Metadata domain=\"RPC\">" + strings.NewReplacer("[", "", "]", "").Replace(
		rpcLists(textName, `<MDI key="%s">%v</MDI>`, `<MDI key="%s">%v</MDI>`)) + "</Metadata></PAMDataset>"
	for _, test := range []struct {
		name  string
		image tifftest.Image
		files map[string]string
		from  string // empty if there is none
		err   error
	}{
		{"none", plain, nil, "", nil},
		{"a tag", withTag, nil, "tag", nil},
		{"a tag that is too short", shortTag, nil, "tag", ErrCorrupt},
		{"lines", withTag, map[string]string{"scene_RPC.TXT": text}, "scene_RPC.TXT", nil},
		{"a line that is missing", withTag, map[string]string{"scene_rpc.txt": strings.Replace(text, "SAMP_DEN_COEFF_20", "X", 1)}, "scene_rpc.txt", ErrCorrupt},
		{"words", withTag, map[string]string{"scene_RPC.TXT": "these are words"}, "scene_RPC.TXT", ErrCorrupt},
		{"statements", withTag, map[string]string{"scene.RPB": rpb}, "scene.RPB", nil},
		{"notes", withTag, map[string]string{"scene.tif.aux.xml": noted, "scene.RPB": rpb}, "GDAL side file", nil},
	} {
		beside := &folder{files: make(map[string][]byte)}
		for name, text := range test.files {
			beside.files[name] = []byte(text)
		}
		r, err := openIn(t, tifftest.File{Images: []tifftest.Image{test.image}}, beside).Images()[0].RPC(t.Context())
		if !errors.Is(err, test.err) || (r == nil) != (test.from == "") || r != nil && r.From != test.from {
			t.Errorf("%s: got %+v and %v, want one of %q and %v", test.name, r, err, test.from, test.err)
			continue
		}
		if r == nil || err != nil {
			continue
		}
		for _, f := range r.fields() {
			if *f.target != rpcNumber(f.index) {
				t.Errorf("%s: %s is %v, want %v", test.name, f.text, *f.target, rpcNumber(f.index))
			}
		}
	}
}
