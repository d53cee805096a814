package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// module is a module in the output of "go list -m -json".
type module struct{ Path, Version, Dir string }

// legal matches the files of a module that must be distributed with a program that contains it.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)(-[a-z0-9]+)?(\.(txt|md))?$`)

// licensesOf returns the licenses of everything in the programs: Go, the linked modules, and the
// viewer.
func (r release) licensesOf(programs []string) ([]byte, error) {
	var text bytes.Buffer
	fmt.Fprintln(&text, "The programs contain the work of others, under these licenses.")
	known := make(map[module]bool)
	for _, program := range programs {
		linked, err := r.linked(program)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", program, err)
		}
		for _, m := range linked {
			if known[m] {
				continue
			}
			known[m] = true
			if err := addLicenses(&text, m); err != nil {
				return nil, err
			}
		}
	}
	viewer, err := os.ReadFile(filepath.Join(r.root, "web", "dist", "licenses.txt"))
	if err != nil {
		return nil, fmt.Errorf("the viewer: %w", err)
	}
	heading(&text, "the viewer")
	text.Write(viewer)
	return text.Bytes(), nil
}

func heading(to io.Writer, name string) {
	fmt.Fprintf(to, "\n%s\n%s\n\n", strings.Repeat("-", 80), name)
}

func addLicenses(to io.Writer, m module) error {
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return err
	}
	found := false
	for _, entry := range entries {
		if !legal.MatchString(entry.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(m.Dir, entry.Name()))
		if err != nil {
			return err
		}
		found = true
		heading(to, strings.TrimSpace(m.Path+" "+m.Version)+", "+entry.Name())
		to.Write(data)
	}
	if !found {
		return fmt.Errorf("%s has no license in %s", m.Path, m.Dir)
	}
	return nil
}

// linked returns Go and the modules linked into a program, with their source folders.
func (r release) linked(program string) ([]module, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	root, err := r.goTool("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules := []module{{Path: "Go", Version: strings.TrimPrefix(info.GoVersion, "go"), Dir: strings.TrimSpace(string(root))}}
	args := []string{"list", "-m", "-json"}
	for _, dependency := range info.Deps {
		args = append(args, dependency.Path)
	}
	if len(info.Deps) == 0 {
		return modules, nil
	}
	listed, err := r.goTool(args...)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(listed)); d.More(); {
		var m module
		if err := d.Decode(&m); err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	return modules, nil
}

// goTool runs the Go tool in the repository and returns its output.
func (r release) goTool(args ...string) ([]byte, error) {
	command := exec.Command("go", args...)
	command.Dir = r.root
	output, err := command.Output()
	if failed, ok := err.(*exec.ExitError); ok {
		err = fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, failed.Stderr)
	}
	return output, err
}
