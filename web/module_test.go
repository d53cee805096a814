package web_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// runModule runs a module beside those of the plain page, and decodes the JSON that it writes.
func runModule(t *testing.T, module string, to any) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("NOT TESTED: node is not installed")
	}
	folder := t.TempDir()
	texts := files(t)
	texts["package.json"] = `{"type": "module"}`
	texts["ask.js"] = module
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(node, "ask.js")
	command.Dir = folder
	written, err := command.CombinedOutput()
	if err != nil || json.Unmarshal(written, to) != nil {
		t.Fatalf("%v: %s", err, written)
	}
}
