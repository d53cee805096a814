package integration

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// apartSection is the section of ARCHITECTURE.md with the packages that no other package imports.
const apartSection = "### Tests, generators and releases"

// A packageRow is what a row of ARCHITECTURE.md says about a package.
type packageRow struct {
	position int      // A package may only import packages of greater positions.
	imports  []string // the packages of this module that it imports
}

// readPackageTables returns the packages in the tables of ARCHITECTURE.md. A row has three cells:
// packages, what they do, and what each of them imports. The packages of apartSection get
// positions before all others, because no package above imports them.
func readPackageTables(document string) (map[string]packageRow, error) {
	section, err := sectionOf(document, "## Packages")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(section, "\n")
	documented := make(map[string]packageRow)
	offset := 0
	for number, line := range lines {
		if line == apartSection {
			offset = -len(lines)
		}
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 3 {
			return nil, fmt.Errorf("a row has %d cells, want 3: %s", len(cells), line)
		}
		for _, cell := range []string{cells[0], cells[2]} {
			if rest := strings.Trim(quotedNamePattern().ReplaceAllString(cell, ""), "–, "); rest != "" {
				return nil, fmt.Errorf("%q is not a name in backquotes: %s", rest, line)
			}
		}
		for _, name := range quotedNames(cells[0]) {
			if _, ok := documented[name]; ok {
				return nil, fmt.Errorf("package %s has two rows", name)
			}
			documented[name] = packageRow{number + offset, quotedNames(cells[2])}
		}
	}
	return documented, nil
}

// sectionOf returns the text below a heading up to the next heading of the same level.
func sectionOf(document, heading string) (string, error) {
	_, section, found := strings.Cut(document, "\n"+heading+"\n")
	if !found {
		return "", fmt.Errorf("no section %q", heading)
	}
	marks, _, _ := strings.Cut(heading, " ")
	for level := len(marks); level > 1; level-- {
		section, _, _ = strings.Cut(section, "\n"+marks[:level]+" ")
	}
	return section, nil
}

func quotedNamePattern() *regexp.Regexp {
	return regexp.MustCompile("`([^`{]*)(?:{([^`}]*)})?`")
}

// quotedNames returns the names in backquotes. The name a/{b,c} stands for a/b and a/c.
func quotedNames(text string) []string {
	var names []string
	for _, match := range quotedNamePattern().FindAllStringSubmatch(text, -1) {
		for _, rest := range strings.Split(match[2], ",") {
			names = append(names, match[1]+rest)
		}
	}
	return names
}

// contradictions compares the rows of ARCHITECTURE.md with the packages and imports of the code.
// It also reports imports of packages that do not have their row further down.
func contradictions(documented map[string]packageRow, imports map[string][]string) []string {
	var messages []string
	report := func(format string, arguments ...any) {
		messages = append(messages, fmt.Sprintf(format, arguments...))
	}
	for name := range documented {
		if _, ok := imports[name]; !ok {
			report("ARCHITECTURE.md has a row for package %s, which does not exist", name)
		}
	}
	for name, imported := range imports {
		row, ok := documented[name]
		if !ok {
			report("package %s has no row in ARCHITECTURE.md", name)
			continue
		}
		for _, other := range imported {
			if !slices.Contains(row.imports, other) {
				report("%s imports %s, which its row in ARCHITECTURE.md does not name", name, other)
			}
			if target, ok := documented[other]; ok && target.position <= row.position {
				report("%s imports %s, which is not below it in ARCHITECTURE.md", name, other)
			}
		}
		for _, other := range row.imports {
			if !slices.Contains(imported, other) {
				report("%s does not import %s, which its row in ARCHITECTURE.md names", name, other)
			}
		}
	}
	slices.Sort(messages)
	return messages
}

func TestContradictionsBetweenArchitectureAndCodeAreFound(t *testing.T) {
	const document = `# Architecture

## Packages

### Top

| package | what it does | imports |
|---|---|---|
| ` + "`top`" + `        | everything   | ` + "`mid/{a,b}`, `base`" + ` |
| ` + "`mid/{a,b}`" + `  | something    | ` + "`base`" + ` |
| ` + "`base`" + `       | the rest     | – |

` + apartSection + `

| package | what it does | imports |
|---|---|---|
| ` + "`basetest`" + `   | helps        | ` + "`base`" + ` |

## Other

| ` + "`not a package`" + ` |
`
	for name, test := range map[string]struct {
		change map[string][]string
		want   []string
	}{
		"none":   {nil, nil},
		"no row": {map[string][]string{"new": nil}, []string{"package new has no row in ARCHITECTURE.md"}},
		"up": {map[string][]string{"base": {"top"}}, []string{
			"base imports top, which is not below it in ARCHITECTURE.md",
			"base imports top, which its row in ARCHITECTURE.md does not name"}},
		"sideways": {map[string][]string{"mid/b": {"base", "mid/a"}}, []string{
			"mid/b imports mid/a, which is not below it in ARCHITECTURE.md",
			"mid/b imports mid/a, which its row in ARCHITECTURE.md does not name"}},
		"unused": {map[string][]string{"mid/a": nil}, []string{
			"mid/a does not import base, which its row in ARCHITECTURE.md names"}},
		"a package for tests": {map[string][]string{"mid/a": {"base", "basetest"}}, []string{
			"mid/a imports basetest, which is not below it in ARCHITECTURE.md",
			"mid/a imports basetest, which its row in ARCHITECTURE.md does not name"}},
	} {
		t.Run(name, func(t *testing.T) {
			documented, err := readPackageTables(document)
			if err != nil {
				t.Fatal(err)
			}
			imports := map[string][]string{
				"top": {"base", "mid/b", "mid/a"}, "mid/a": {"base"}, "mid/b": {"base"}, "base": nil, "basetest": {"base"},
			}
			maps.Copy(imports, test.change)
			if got := contradictions(documented, imports); !slices.Equal(got, test.want) {
				t.Errorf("found %q, want %q", got, test.want)
			}
			delete(imports, "top")
			gone := "ARCHITECTURE.md has a row for package top, which does not exist"
			if got := contradictions(documented, imports); !slices.Contains(got, gone) {
				t.Errorf("found %q, want also %q", got, gone)
			}
		})
	}
}

func TestMalformedRowsOfArchitectureAreErrors(t *testing.T) {
	for want, row := range map[string]string{
		"2 cells":               "| `a` | first |",
		"4 cells":               "| `a` | first | – | `b` |",
		"package a has two":     "| `{a,b}` | first | – |\n| `a` | first | – |",
		`"b" is not a name`:     "| `a` | first | b |",
		`"and b" is not a name`: "| `a` and b | first | – |",
	} {
		if _, err := readPackageTables("\n## Packages\n" + row + "\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", row, err, want)
		}
	}
	if _, err := readPackageTables("\n# Architecture\n"); err == nil {
		t.Error("a document without the section is not an error")
	}
}
