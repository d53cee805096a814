package ogcapi

import "testing"

const (
	acceptOfChrome  = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"
	acceptOfImages  = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
	acceptOfFirefox = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
)

func TestChoose(t *testing.T) {
	documents, pictures, definitions := DocumentFormats(), PictureFormats(), DefinitionFormats()
	tests := []struct {
		name    string
		formats []Format
		f       string
		accept  []string
		want    string // "" is no format
	}{
		{"nothing said", documents, "", nil, "json"},
		{"an empty header", documents, "", []string{""}, "json"},
		{"anything", documents, "", []string{"*/*"}, "json"},
		{"what old Java sends", documents, "", []string{"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"}, "html"},
		{"Chrome", documents, "", []string{acceptOfChrome}, "html"},
		{"Firefox", documents, "", []string{acceptOfFirefox}, "html"},
		{"GDAL", documents, "", []string{"application/json"}, "json"},
		{"both alike", documents, "", []string{"text/html, application/json"}, "json"},
		{"JSON is liked less", documents, "", []string{"application/json;q=0.4, text/html;q=0.5"}, "html"},
		{"in two headers", documents, "", []string{"image/png", "text/html"}, "html"},
		{"in capitals", documents, "", []string{"TEXT/HTML"}, "html"},
		{"anything but JSON", documents, "", []string{"application/json;q=0, */*;q=0.1"}, "html"},
		{"XML", documents, "", []string{"application/xml"}, ""},
		{"refused", documents, "", []string{"*/*;q=0"}, ""},
		{"a quality that is none", documents, "", []string{"text/html;q=many"}, "html"},
		{"f goes before Accept", documents, "json", []string{"text/html"}, "json"},
		{"f in capitals", documents, "HTML", nil, "html"},
		{"f as a media type", documents, "text/html", nil, "html"},
		{"f of another kind", documents, "png", nil, ""},
		{"f of nothing", documents, "xml", []string{"text/html"}, ""},

		{"a definition for all", definitions, "", []string{"*/*"}, "json"},
		{"a definition by name", definitions, "", []string{"application/vnd.oai.openapi+json;version=3.0"}, "json"},
		{"a definition as JSON", definitions, "", []string{"application/json"}, "json"},
		{"a definition for people", definitions, "", []string{acceptOfChrome}, "html"},

		{"a picture for all", pictures, "", []string{"*/*"}, "png"},
		{"a picture for a browser", pictures, "", []string{acceptOfImages}, "webp"},
		{"a picture as a page of a browser", pictures, "", []string{acceptOfChrome}, "webp"},
		{"any picture", pictures, "", []string{"image/*"}, "png"},
		{"a JPEG", pictures, "", []string{"image/jpeg"}, "jpeg"},
		{"a JPEG by another name", pictures, "", []string{"image/jpg"}, "jpeg"},
		{"f of a JPEG", pictures, "jpg", nil, "jpeg"},
		{"f of a JPEG as a media type", pictures, "image/jpeg", nil, "jpeg"},
		{"a picture as JSON", pictures, "", []string{"application/json"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Choose(test.formats, test.f, test.accept)
			if ok != (test.want != "") || ok && got.Name != test.want {
				t.Errorf("got %q, %v, want %q", got.Name, ok, test.want)
			}
		})
	}
}

func FuzzChoose(f *testing.F) {
	for _, accept := range []string{acceptOfChrome, acceptOfImages, "*/*;q=0", "text/html;q=0.5;q=1", ",,;;==", "a/b;q=NaN"} {
		f.Add("", accept)
	}
	f.Add("json", "")
	f.Add("image/jpeg", "*")
	f.Fuzz(func(t *testing.T, name, accept string) {
		for _, formats := range [][]Format{DocumentFormats(), PictureFormats(), DefinitionFormats()} {
			got, ok := Choose(formats, name, []string{accept})
			if ok && len(got.Types) == 0 {
				t.Errorf("f=%q, Accept %q: nothing chosen", name, accept)
			}
			if again, okAgain := Choose(formats, got.Name, nil); ok && (!okAgain || again.Name != got.Name) {
				t.Errorf("%q cannot be requested", got.Name)
			}
		}
	})
}
