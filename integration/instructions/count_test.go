package main

import (
	"maps"
	"strings"
	"testing"
)

func TestInstructionsAreCountedByFunction(t *testing.T) {
	const line = "Trace 0: 0x7f00 [0000000001009331/0000000000097fe0/00000001/00000201] "
	log := strings.Join([]string{
		line + "tileserver/a.Twice.abi0", line + "tileserver/a.Once[go.shape.int32]", line + "tileserver/a.Twice", line + "tileserver/ab.Other",
		"Linking TBs 0x7f00", "",
	}, "\n")
	got, err := read(strings.NewReader(log), "tileserver/a.")
	if want := (counts{"Twice": 2, "Once[go.shape.int32]": 1}); err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

func TestNamesAreInOrderOfTheirInstructions(t *testing.T) {
	got := counts{"a": 1, "b": 5, "c": 1}.namesWith(counts{"b": 1, "d": 9})
	if strings.Join(got, "") != "dbac" {
		t.Errorf("got %v", got)
	}
}
