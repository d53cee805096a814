package tiff

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tileserver/decode"
	"tileserver/decode/rpc/rpctest"
	"tileserver/decode/tiff/tag"
	"tileserver/decode/tiff/tifftest"
)

func TestRPC(t *testing.T) {
	plain, withTag, shortTag := flat(5, 4, 1), flat(5, 4, 1), flat(5, 4, 1)
	withTag.Tags = []tifftest.Tag{{ID: uint16(tag.RPC), Value: rpctest.Numbers()}}
	shortTag.Tags = []tifftest.Tag{{ID: uint16(tag.RPC), Value: rpctest.Numbers()[:91]}}
	text, rpb := rpctest.Text(), rpctest.RPB()
	var notes strings.Builder
	for name, value := range rpctest.Metadata() {
		fmt.Fprintf(&notes, `<MDI key="%s">%s</MDI>`, name, value)
	}
	noted := `<PAMDataset><Metadata domain="RPC">` + notes.String() + "</Metadata></PAMDataset>"
	for _, test := range []struct {
		name  string
		image tifftest.Image
		files map[string]string
		from  string // empty if there is none, or an error
		err   error
	}{
		{"none", plain, nil, "", nil},
		{"a tag", withTag, nil, "tag", nil},
		{"a tag that is too short", shortTag, nil, "", ErrCorrupt},
		{"lines", withTag, map[string]string{"scene_RPC.TXT": text}, "scene_RPC.TXT", nil},
		{"a line that is missing", withTag, map[string]string{"scene_rpc.txt": strings.Replace(text, "SAMP_DEN_COEFF_20", "X", 1)}, "", decode.ErrCorrupt},
		{"words", withTag, map[string]string{"scene_RPC.TXT": "these are words"}, "", decode.ErrCorrupt},
		{"statements", withTag, map[string]string{"scene.RPB": rpb}, "scene.RPB", nil},
		{"notes", withTag, map[string]string{"scene.tif.aux.xml": noted, "scene.RPB": rpb}, "GDAL side file", nil},
	} {
		beside := &folder{files: make(map[string][]byte)}
		for name, text := range test.files {
			beside.files[name] = []byte(text)
		}
		r, err := openIn(t, tifftest.File{Images: []tifftest.Image{test.image}}, beside).Images()[0].RPC(t.Context())
		if !errors.Is(err, test.err) || (r == nil) != (test.from == "") {
			t.Errorf("%s: got %+v and %v, want one of %q and %v", test.name, r, err, test.from, test.err)
			continue
		}
		if r != nil && *r != rpctest.Model(test.from) {
			t.Errorf("%s: got %+v, want %+v", test.name, r, rpctest.Model(test.from))
		}
	}
}
