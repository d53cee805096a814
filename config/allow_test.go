package config

import (
	"reflect"
	"strings"
	"testing"

	"tileserver/access"
)

func TestWhatLayersAllow(t *testing.T) {
	c := Default()
	if err := c.Decode("my.yaml", []byte(`
allow:
  formats: [png, jpg]
  parameters: none
  size: 512x256
  signed: {formats: all, size: 4096x4096}
paths:
  - a.tif
  - {path: b, allow: {formats: all, values: false}}
layers:
  - path: c.tif
    allow: {parameters: "bidx, rescale", size: any, signed: {parameters: none}}
`)); err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	signed := access.Rules{Size: access.Size{Width: 4096, Height: 4096}}
	fixed := signed
	fixed.Parameters = []string{}
	size := access.Size{Width: 512, Height: 256}
	for name, test := range map[string]struct {
		of   Allow
		want access.Policy
	}{
		"a path":   {c.Paths[0].Allow, access.Policy{Strangers: access.Rules{Formats: []string{"png", "jpg"}, Parameters: []string{}, Size: size}, Signed: signed}},
		"a folder": {c.Paths[1].Allow, access.Policy{Strangers: access.Rules{Parameters: []string{}, Size: size, HideValues: true}, Signed: signed}},
		"a layer":  {c.Layers[0].Allow, access.Policy{Strangers: access.Rules{Formats: []string{"png", "jpg"}, Parameters: []string{"bidx", "rescale"}}, Signed: fixed}},
	} {
		if got := test.of.Policy(&c.Allow); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
	if c.Paths[0].Path != "a.tif" || c.Paths[1].Path != "b" {
		t.Errorf("the paths are %v", c.Paths)
	}
	if open := (&Allow{}).Policy(&Allow{}); !reflect.DeepEqual(open, access.Policy{}) {
		t.Errorf("without the key, the policy is %+v", open)
	}
}

func TestMistakesInWhatIsAllowed(t *testing.T) {
	for text, want := range map[string]string{
		"allow: {formats: [png, gif]}":                    `my.yaml:1: allow.formats: unknown name "gif"; use png, jpg, webp, npy, tif`,
		"allow: {parameters: [expresion]}":                `did you mean "expression"?`,
		"allow: {parameters: [all, bidx]}":                `allow.parameters: "all" must be the only name`,
		"allow: {size: 1 kB}":                             `allow.size: "1 kB" is not a size such as 2048x1024, a number of pixels, or any`,
		"allow: {signed: {formats: [none, png]}}":         `allow.signed.formats: "none" must be the only name`,
		"allow: {format: png}":                            `unknown key "format" in allow; did you mean "formats"?`,
		"paths: [{path: a, allow: {formats: x}}]":         `paths[0].allow.formats: unknown name "x"`,
		"paths: [{allow: {formats: all}}]":                `paths[0]: has no "path"`,
		"layers: [{path: a, allow: {parameters: style}}]": `layers[0].allow.parameters: unknown name "style"`,
	} {
		c := Default()
		err := c.Decode("my.yaml", []byte(text))
		if err == nil {
			err = c.Validate()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
