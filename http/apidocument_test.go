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

	"tileserver/http/admin"
	"tileserver/http/answer"
	"tileserver/http/ogc"
	"tileserver/http/serve"
	"tileserver/style"
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
	for _, routes := range []map[string]answer.Handler{routes(serve.New(serve.Config{}, nil)), admin.Routes(admin.Config{}), admin.Actions(admin.Config{}), {"/": nil, "/metrics": nil, "/debug/pprof/": nil}} {
		for pattern := range routes {
			shape := shapeOf(pattern)
			_, isPage := pages[pattern]
			if _, ok := written[shape]; !ok && !isPage && pattern != ogc.Root+"/*" {
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
	known := append(style.Names(), serve.VersionName)
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if !strings.HasSuffix(name, "_test.go") {
			known = append(known, parametersRead(t, name)...)
		}
	}
	const fewest = 45
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

// parametersRead returns the names that a file passes to functions that read parameters.
func parametersRead(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(parsed, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			names = append(names, textsIn(call.Args[:min(len(call.Args), namesIn(call.Fun))])...)
		}
		return true
	})
	return names
}

// namesIn returns how many of a function's first arguments may name parameters that it reads.
func namesIn(function ast.Expr) int {
	name := ""
	switch function := function.(type) {
	case *ast.SelectorExpr:
		name = function.Sel.Name
	case *ast.Ident:
		name = function.Name
	}
	return map[string]int{"Text": 1, "Texts": 1, "Integer": 1, "Choice": 1, "Boolean": 1, "ID": 1, "Words": 1, "Either": 2, "namedCRS": 2}[name]
}

// textsIn returns the string literals among expressions.
func textsIn(expressions []ast.Expr) []string {
	var texts []string
	for _, expression := range expressions {
		if literal, ok := expression.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				texts = append(texts, text)
			}
		}
	}
	return texts
}
