package http

import (
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"

	"tileserver/http/answer"
	"tileserver/web"
)

// pageFile is a file of the HTML page.
type pageFile struct{ content answer.Content }

// pageFiles returns the files of the HTML page by route. They are embedded in the program, so
// reading cannot fail.
func pageFiles() map[string]pageFile {
	files, page := make(map[string]pageFile), web.Page()
	err := fs.WalkDir(page, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		body, err := fs.ReadFile(page, name)
		if err != nil {
			return err
		}
		file := pageFile{answer.Fixed(body, mimeOf(name, body), cachingOf(name))}
		files["/"+name] = file
		switch name {
		case "index.html":
			files["/"] = file
		case "favicon.svg":
			files["/favicon.ico"] = file // browsers request it when they show a picture alone
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return files
}

func pageRoutes() map[string]answer.Handler {
	routes := make(map[string]answer.Handler)
	for pattern, file := range pageFiles() {
		routes[pattern] = file.serve
	}
	return routes
}

// hashedName matches names from the viewer's build that end with a hash of the content.
var hashedName = regexp.MustCompile(`^assets/.*-[0-9A-Z]{8}\.[a-z]+$`)

// cachingOf returns the Cache-Control of a page file. A file with a hash in its name never changes.
func cachingOf(name string) string {
	if hashedName.MatchString(name) {
		return answer.CacheImmutable
	}
	return "no-cache"
}

// mimeOf returns the media type of a file by its extension, or else by its content. The system's
// own table is not used: some have a wrong type for scripts.
func mimeOf(name string, body []byte) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".json", ".map":
		return answer.MIMEJSON
	case ".svg":
		return "image/svg+xml"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return http.DetectContentType(body)
}

// pagePolicy allows the page to load resources of this server only.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

func (f pageFile) serve(e *answer.Exchange, r *http.Request) error {
	e.Header().Set("Content-Security-Policy", pagePolicy)
	e.Send(r, http.StatusOK, f.content)
	return nil
}
