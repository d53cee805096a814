package boxes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/jp2k/boxes/boxestest"
	"tileserver/integration/realfiles"
)

// expected is what other software found in a file.
type expected struct {
	Path  string
	Boxes []string
	J2K   struct {
		Size  [2]int
		Comps []string
	}
}

func readExpected(t *testing.T, folder string) []expected {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "EXPECTED.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []expected
	for line := range bytes.Lines(text) {
		var e expected
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(e.Path, "jp2k/") {
			all = append(all, e)
		}
	}
	return all
}

// Real files have the content that other software finds. Broken files end with an error or a
// codestream.
func TestRealFiles(t *testing.T) {
	const withoutCodestream = "jp2k/jasper/278.jp2" // it has only its first boxes
	folder := realfiles.Folder(t, "EXPECTED.jsonl")
	compared := 0
	for _, e := range readExpected(t, folder) {
		content, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(e.Path)))
		if err != nil {
			t.Fatal(err)
		}
		r := &boxestest.Bytes{Content: content, Window: 64 << 10}
		c, err := Read(r, Limits{})
		isBroken := strings.HasPrefix(e.Path, "corrupt/") || e.Path == withoutCodestream
		if err == nil {
			if !isCodestream(content[c.Codestream.Offset:]) || c.Codestream.Offset+c.Codestream.Length > int64(len(content)) {
				t.Errorf("%s: the codestream is at %v", e.Path, c.Codestream)
			}
			c.Channels(make([]BitDepth, len(e.J2K.Comps)))
		}
		if isBroken {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		if r.Reads > 3 {
			t.Errorf("%s: opened with %d reads", e.Path, r.Reads)
		}
		compare(t, e, c)
		compared++
	}
	if compared < 150 {
		t.Errorf("only %d files were compared", compared)
	}
}

// compare compares a container with what other software read.
func compare(t *testing.T, e expected, c *Container) {
	t.Helper()
	var colors, uuids []string
	texts, boxes := 0, make(map[string]bool)
	for _, b := range e.Boxes {
		boxes[b] = true
		switch kind, rest, _ := strings.Cut(b, ":"); kind {
		case "colr":
			if rest != "" {
				colors = append(colors, rest)
			}
		case "uuid":
			uuids = append(uuids, rest)
		case "xml ":
			texts++
		}
	}
	var gotColors, gotUUIDs []string
	for _, s := range c.ColorSpecs {
		if boxes["colr"] { // others could not read it
			continue
		}
		if s.Method == Enumerated {
			gotColors = append(gotColors, fmt.Sprintf("1:%d", s.Space))
		} else {
			gotColors = append(gotColors, fmt.Sprint(s.Method))
		}
	}
	for _, u := range c.UUIDs {
		gotUUIDs = append(gotUUIDs, string(u.ID[:8]))
	}
	for _, fact := range []struct {
		name      string
		got, want any
	}{
		{"colors", gotColors, colors},
		{"UUIDs", gotUUIDs, uuids},
		{"texts", len(c.XML) + len(c.Labeled), texts},
		{"a palette", c.Palette != nil, boxes["pclr"]},
		{"a mapping", len(c.ComponentMapping) > 0, boxes["cmap"]},
		{"definitions of channels", len(c.ChannelDefinitions) > 0, boxes["cdef"]},
		{"bits a component", len(c.BitsPerComponent) > 0, boxes["bpcc"]},
		{"a resolution", c.Capture != nil || c.Display != nil, boxes["resc"] || boxes["resd"]},
		{"a header", c.ImageHeader != nil, boxes["ihdr"]},
	} {
		if fmt.Sprint(fact.got) != fmt.Sprint(fact.want) {
			t.Errorf("%s: %s: got %v, want %v", e.Path, fact.name, fact.got, fact.want)
		}
	}
	if h := c.ImageHeader; h != nil && (int(h.Width) != e.J2K.Size[0] || int(h.Height) != e.J2K.Size[1] || h.Components != len(e.J2K.Comps)) {
		t.Logf("%s: the header says %dx%dx%d, the codestream %v", e.Path, h.Width, h.Height, h.Components, e.J2K.Size)
	}
}
