package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
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

	if !strings.Contains(stdout, filepath.Join(folder, "tileserver.yaml")) {
		t.Errorf("it does not say that it wrote the configuration: %q", stdout)
	}

	if code, _, stderr := runProgram(t, "demo", "--save", folder); code != exitOK {
		t.Errorf("the same files again: exit code %d: %s", code, stderr)
	}
	mine := []byte("not to be lost")
	if err := os.WriteFile(filepath.Join(folder, "sheet.tif"), mine, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "demo.tif")); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr = runProgram(t, "demo", "--save", folder)
	if want := folder + " has other files named sheet.tif; remove them, or name another folder\n"; code != exitUsage || stdout != "" || !strings.HasSuffix(stderr, want) {
		t.Errorf("over a file that is there: exit code %d: %s%s", code, stdout, stderr)
	}
	if _, err := os.Stat(filepath.Join(folder, "demo.tif")); !os.IsNotExist(err) {
		t.Errorf("a file was written although another could not be: %v", err)
	}
	if now, err := os.ReadFile(filepath.Join(folder, "sheet.tif")); err != nil || string(now) != string(mine) {
		t.Errorf("a file that was there is %q, %v", now, err)
	}
}

// TestTheSavedDemoLooksLikeTheDemo compares each layer on the two servers.
func TestTheSavedDemoLooksLikeTheDemo(t *testing.T) {
	folder := t.TempDir()
	mustRun(t, "demo", "--save", folder)
	saved := start(t, append([]string{"serve", "--config", filepath.Join(folder, "tileserver.yaml")}, freePorts...)...)
	built := start(t, freePorts...)
	type document struct {
		Title, Description string
		Styles             []struct{ Name, Title string }
	}
	for id, styles := range map[string]int{"demo": 4, "elevation": 5, "sheet": 1} {
		var got, want document
		for _, side := range []struct {
			*running
			to *document
		}{{saved, &got}, {built, &want}} {
			_, body := get(t, side.maps+"/layers/"+id)
			if err := json.Unmarshal(body, side.to); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(got, want) || len(got.Styles) != styles || got.Title == "" {
			t.Errorf("%s: %+v, want %+v with %d styles", id, got, want, styles)
		}
	}
	path := "/layers/elevation/preview.png?max_size=64"
	status, got := get(t, saved.maps+path)
	if _, want := get(t, built.maps+path); status != http.StatusOK || !bytes.Equal(got, want) {
		t.Errorf("the elevation looks different: status %d", status)
	}
}
