package main

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// judgement is what came out of a comparison.
type judgement struct {
	compared, wrong, excused int
}

// compare asks a quiet server for what the witnesses have seen, one address at a time.
func (w *world) compare(program string, options []string, t *traffic) (judged judgement, err error) {
	server, err := w.serve(program, w.untouched(), options)
	if err != nil {
		return judged, err
	}
	defer server.kill()
	quiet := &quiet{server: server, sums: make(map[string]string)}
	for _, k := range t.kinds {
		for _, a := range t.witnesses[k].kept {
			right, err := quiet.has(w.variants(a.path), a)
			switch judged.compared++; {
			case err != nil:
				return judged, err
			case right:
			case w.isExcused(a):
				judged.excused++
			default:
				judged.wrong++
				t.complain("another server answers with another picture: %v", a)
			}
		}
	}
	return judged, server.stop()
}

// variants returns the addresses of a picture in all versions of its file.
func (w *world) variants(path string) (all []string) {
	for _, c := range w.changed {
		if strings.Contains(path, "/"+c.id+"/") {
			for v := range c.versions {
				all = append(all, strings.Replace(path, "/"+c.id+"/", "/"+c.idOf(v)+"/", 1))
			}
			return all
		}
	}
	return []string{path}
}

// isExcused reports whether an answer may mix two versions of its file.
func (w *world) isExcused(a answer) bool {
	for _, c := range w.changed {
		if strings.Contains(a.path, "/"+c.id+"/") {
			return c.isExcused(a.during)
		}
	}
	return false
}

// quiet is a server that has one request at a time.
type quiet struct {
	server *server
	sums   map[string]string // of answers, by their paths
}

// has reports whether the server sends the body of an answer at one of some paths.
func (q *quiet) has(paths []string, a answer) (bool, error) {
	for _, path := range paths {
		sum, err := q.sum(path)
		if err != nil {
			return false, err
		}
		if sum == string(a.sum[:]) {
			return true, nil
		}
	}
	return false, nil
}

// waiting matches how long an answer may wait for overviews.
var waiting = regexp.MustCompile(`wait=\d+`)

func (q *quiet) sum(path string) (string, error) {
	if sum, isKnown := q.sums[path]; isKnown {
		return sum, nil
	}
	response, err := http.Get(q.server.maps + waiting.ReplaceAllString(path, "wait=3600"))
	if err != nil {
		return "", err
	}
	var a answer
	if err := a.read(response); err != nil {
		return "", err
	}
	if a.status != http.StatusOK {
		return "", fmt.Errorf("the quiet server answers %s with %d: %s", path, a.status, a.text)
	}
	q.sums[path] = string(a.sum[:])
	return q.sums[path], nil
}
