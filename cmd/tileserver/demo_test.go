package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheDemoSavesItsFiles(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "nemo")
	code, stdout, stderr := runProgram(t, "demo", "--save", folder)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for name, want := range map[string]string{
		"demo.tif": "epsg          32710", "elevation.tif": "Float32", "sheet.tif#2": "1 bit a sample",
	} {
		path := filepath.Join(folder, name)
		if plain, _, _ := strings.Cut(path, "#"); !strings.Contains(stdout, plain) {
			t.Errorf("it does not say that it wrote %s: %q", plain, stdout)
		}
		if code, text, stderr := runProgram(t, "info", path); code != exitOK || !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
			t.Errorf("info of %s does not tell of %s: %d %s%s", name, want, code, text, stderr)
		}
	}

	if code, _, stderr := runProgram(t, "demo", "--save", folder); code != exitOK {
		t.Errorf("the same files again: exit code %d: %s", code, stderr)
	}
	mine := []byte("not to be lost")
	if err := os.WriteFile(filepath.Join(folder, "sheet.tif"), mine, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := runProgram(t, "demo", "--save", folder); code != exitFailure || !strings.Contains(stderr, "exist") {
		t.Errorf("over files that are there: exit code %d: %s", code, stderr)
	}
	if now, err := os.ReadFile(filepath.Join(folder, "sheet.tif")); err != nil || string(now) != string(mine) {
		t.Errorf("a file that was there is %q, %v", now, err)
	}
}
