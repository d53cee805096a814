package mbtiles

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"
)

// heapBytes bounds the memory of all databases of the process together. What exceeds it is an error.
const heapBytes = "hard_heap_limit(268435456)"

// openDatabase opens a database as an option of SQLite says, with pragmas on each connection.
func openDatabase(path, option string, pragmas ...string) (*sql.DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	slashed := filepath.ToSlash(absolute)
	if !strings.HasPrefix(slashed, "/") { // a drive
		slashed = "/" + slashed
	}
	query := option
	for _, pragma := range append(pragmas, heapBytes) {
		query += "&_pragma=" + url.QueryEscape(pragma)
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: query}
	return sql.Open("sqlite", u.String())
}
