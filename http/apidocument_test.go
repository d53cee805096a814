package http

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tileserver/http/answer"
)

// apiDocument returns the text of docs/http-api.md.
func apiDocument(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/http-api.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// quoted matches texts in backticks.
var quoted = regexp.MustCompile("`([^`\n]+)`")

// shapeOf returns an address with * in place of parameters, whose names differ between the router
// and the document. It drops the rest of a path segment after a parameter.
func shapeOf(address string) string {
	parts := strings.Split(address, "/")
	for i, part := range parts {
		if before, _, ok := strings.Cut(part, "{"); ok {
			parts[i] = before + "*"
		}
	}
	return strings.Join(parts, "/")
}

// The reference must list every address of the router, and no other.
func TestReferenceListsEveryAddress(t *testing.T) {
	written := map[string]bool{}
	for _, match := range quoted.FindAllStringSubmatch(apiDocument(t), -1) {
		if strings.HasPrefix(match[1], "/") {
			written[shapeOf(match[1])] = false
		}
	}
	pages := pageRoutes()
	for _, routes := range []map[string]answer.Handler{new(server).routes(), new(admin).routes(), {"/": nil, "/metrics": nil, "/debug/pprof/": nil}} {
		for pattern := range routes {
			shape := shapeOf(pattern)
			_, isPage := pages[pattern]
			if _, ok := written[shape]; !ok && !isPage && pattern != ogcRoot+"/*" {
				t.Errorf("docs/http-api.md lacks %s", pattern)
			}
			written[shape] = true
		}
	}
	for shape, isRoute := range written {
		if !isRoute {
			t.Errorf("docs/http-api.md has %s, which is no address", shape)
		}
	}
}

// The reference must list every parameter that a handler reads.
func TestReferenceListsEveryParameter(t *testing.T) {
	known := slices.Concat(styleNames[:], []string{versionName})
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if !strings.HasSuffix(name, "_test.go") {
			known = append(known, parametersRead(t, name)...)
		}
	}
	const fewest = 35
	slices.Sort(known)
	if known = slices.Compact(known); len(known) < fewest {
		t.Fatalf("only %d parameters were found: %v", len(known), known)
	}
	document := apiDocument(t)
	for _, name := range known {
		if !regexp.MustCompile("`" + regexp.QuoteMeta(name) + "[`=]").MatchString(document) {
			t.Errorf("docs/http-api.md lacks the parameter %s", name)
		}
	}
}

// parametersRead returns the names that a file passes to methods that read parameters.
func parametersRead(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(parsed, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		method, isMethod := call.Fun.(*ast.SelectorExpr)
		name, isText := call.Args[0].(*ast.BasicLit)
		if isMethod && isText && slices.Contains([]string{"Text", "Texts", "Integer", "Choice", "Boolean", "namedCRS"}, method.Sel.Name) {
			if unquoted, err := strconv.Unquote(name.Value); err == nil {
				names = append(names, unquoted)
			}
		}
		return true
	})
	return names
}
