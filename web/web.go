// Package web holds the page that shows the layers: a map, and the addresses to paste into other viewers. It must never
// know how the files are served, and the files must never need anything from another site.
package web

import "embed"

// Files are the files of the page, index.html first among them. They find the server by relative addresses, so it may
// live under any path.
//
//go:embed *.html *.css *.js *.svg
var Files embed.FS
