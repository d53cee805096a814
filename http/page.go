package http

import (
	"io/fs"
	"net/http"
	"path"

	"tileserver/web"
)

// pageFile is a file of the web page. It is kept as a whole, with its validator.
type pageFile struct{ content }

// pageFiles are the files of the page by their routes. They are part of the
// program, so they can be read.
func pageFiles() map[string]pageFile {
	files := make(map[string]pageFile)
	err := fs.WalkDir(web.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(web.Files, name)
		if err != nil {
			return err
		}
		file := pageFile{content{body: body, mime: mimeOf(name, body), etag: digest(body), cacheControl: "no-cache", kept: true}}
		files["/"+name] = file
		if name == "index.html" {
			files["/"] = file
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return files
}

// mimeOf is the media type of a file by its name, or else by what it begins with.
// The machine's own table of types is not asked: on some it is wrong for scripts.
func mimeOf(name string, body []byte) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".json", ".map":
		return mimeJSON
	case ".svg":
		return "image/svg+xml"
	}
	return http.DetectContentType(body)
}

// pagePolicy lets the page load what the server itself has, and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"

func (f pageFile) answer(e *exchange, r *http.Request) error {
	e.Header().Set("Content-Security-Policy", pagePolicy)
	e.send(r, http.StatusOK, f.content)
	return nil
}
