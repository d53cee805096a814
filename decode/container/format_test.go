package container

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tileserver/decode"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

// fakeFile is an open file of a fake format.
type fakeFile struct {
	source.Source
	format, key string
}

func (fakeFile) Images() []Image { return make([]Image, 2) }
func (fakeFile) Notes() []string { return nil }

// errBroken is the error of opening a file whose content is broken.
var errBroken = errors.New("broken")

// fakeFormat recognizes files that begin with its name.
func fakeFormat(name string, extensions ...string) Format {
	return Format{
		Name: name, Extensions: extensions,
		Matches: func(head []byte) bool { return strings.HasPrefix(string(head), name) },
		Open: func(_ context.Context, s source.Source, options Options) (File, error) {
			if s.Size() == int64(len(name)) {
				return nil, errBroken
			}
			return fakeFile{s, name, options.Key}, nil
		},
	}
}

func fakeRegistry() Registry {
	return Registry{fakeFormat("ONE", ".one", ".1"), fakeFormat("TWO", ".two"), fakeFormat("THREE")}
}

func TestContentDecidesTheFormat(t *testing.T) {
	for content, want := range map[string]string{"ONE is here": "ONE", "TWO is here": "TWO", "THREE is here": "THREE"} {
		s := sourcetest.NewFake([]byte(content))
		f, err := fakeRegistry().Open(t.Context(), s, Options{Key: "key"})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.(fakeFile); got.format != want || got.key != "key" {
			t.Errorf("%q: opened as %s with the key %q, want %s", content, got.format, got.key, want)
		}
		if s.Closed() {
			t.Errorf("%q: the source of an open file is closed", content)
		}
	}
}

func TestSourcesOfFilesThatDoNotOpenAreClosed(t *testing.T) {
	for content, want := range map[string]error{"ONE": errBroken, "FOUR is not there": decode.ErrUnsupported, "fails": source.ErrChanged} {
		s := sourcetest.NewFake([]byte(content))
		if content == "fails" {
			s.FailCall(1, source.ErrChanged)
		}
		f, err := fakeRegistry().Open(t.Context(), s, Options{})
		if f != nil || !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "fake: ") {
			t.Errorf("%q: got %v and %v, want %v", content, f, err, want)
		}
		if !s.Closed() {
			t.Errorf("%q: the source is still open", content)
		}
	}
}

func TestUnsupportedFormatsAreNamed(t *testing.T) {
	for head, want := range map[string]string{
		"":                            "the file is empty",
		"\x89PNG\r\n\x1a\n\x00":       "this is a PNG file; tileserver reads ONE, TWO and THREE",
		"RIFF\x00\x01\x02\x03WEBPVP8": "this is a WebP file; tileserver reads ONE, TWO and THREE",
		"Dear diary":                  "unknown format; tileserver reads ONE, TWO and THREE",
		"RIFF":                        "unknown format; tileserver reads ONE, TWO and THREE",
	} {
		if err := fakeRegistry().unsupported([]byte(head)); err.Error() != want || !errors.Is(err, decode.ErrUnsupported) {
			t.Errorf("%q: got %v, want %q", head, err, want)
		}
	}
}

func TestExtensionsDoNotDependOnCase(t *testing.T) {
	for name, want := range map[string]bool{"a.one": true, "A.ONE": true, "a.b.1": true, "a.two": true, "one": false, "a.one.txt": false, "a.three": false} {
		if got := fakeRegistry().HasExtension(name); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
}

func TestImagesAreCountedFromOne(t *testing.T) {
	for number := 1; number <= 3; number++ {
		_, err := ImageOf(fakeFile{}, number)
		if isMissing := errors.Is(err, NoImageError{Number: number, Count: 2}); isMissing != (number == 3) {
			t.Errorf("image %d: %v", number, err)
		}
	}
}
