package sicd

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestRoots(t *testing.T) {
	for document, want := range map[string]string{
		`<SICD xmlns="urn:SICD:1.0.0"><Collect`: "SICD urn:SICD:1.0.0",
		`<?xml version="1.0" encoding="ISO-8859-1"?><!-- a --><a:SIDD xmlns:x="y" xmlns:a="urn:SIDD:2.0.0">`: "SIDD urn:SIDD:2.0.0",
		`<plain/>`: "plain",
		`no XML`:   "", "": "",
	} {
		if got := Root([]byte(document)); got != want {
			t.Errorf("%q: got %q, want %q", document, got, want)
		}
	}
}

func TestAmplitudes(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<SICD><ImageData><PixelType>AMP8I_PHS8I</PixelType><AmpTable size="256">`)
	for i := range entries {
		fmt.Fprintf(&b, `<Amplitude index="%d"> %v </Amplitude>`, i, float64(i)/2)
	}
	b.WriteString(`</AmpTable></ImageData></SICD>`)
	table, err := Amplitudes([]byte(b.String()))
	if err != nil || len(table) != entries || table[255] != 127.5 {
		t.Errorf("got %v, %v", table, err)
	}
	if table, err := Amplitudes([]byte("<SICD/>")); table != nil || err != nil {
		t.Errorf("without a table: %v, %v", table, err)
	}
	for _, broken := range []string{`<Amplitude index="256">1</Amplitude>`, `<Amplitude>1</Amplitude>`, `<Amplitude index="1">x</Amplitude>`, `<Amplitude index="1"`} {
		if _, err := Amplitudes([]byte(broken)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", broken, err)
		}
	}
}

// FuzzAmplitudes reads damaged XML.
func FuzzAmplitudes(f *testing.F) {
	f.Add([]byte(`<SICD xmlns="urn:SICD:1.0.0"><AmpTable><Amplitude index="0">1.5</Amplitude></AmpTable></SICD>`))
	f.Fuzz(func(t *testing.T, document []byte) {
		_ = Root(document)
		if table, err := Amplitudes(document); err == nil && table != nil && len(table) != entries {
			t.Errorf("%d amplitudes", len(table))
		}
	})
}
