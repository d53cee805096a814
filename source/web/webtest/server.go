// Package webtest has a web server with objects that fails on demand, to test what reads from web servers.
// Only tests may import it.
package webtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server serves objects, and records what is asked of it.
type Server struct {
	*httptest.Server

	mu       sync.Mutex // guards the fields below
	objects  map[string]object
	puts     int
	asked    []Asked
	behavior Behavior
	script   []http.HandlerFunc // answers of the next requests
	faults   int                // each request whose number is a multiple is broken off; 0 is none
	count    int

	held    <-chan struct{} // requests wait until it is closed; nil for none
	entered chan struct{}   // has an element for each that waited
	left    chan struct{}   // has an element for each that left while it waited
}

// object is an object as it is stored. It is never changed, but replaced.
type object struct {
	data     string
	tag      string
	modified time.Time
}

// Asked is a request.
type Asked struct {
	Path   string // with the query
	Range  string
	Header http.Header
}

// Behavior is how a server answers.
type Behavior struct {
	NoRanges bool // whole objects only
	NoTags   bool // no ETag
	NoDates  bool // no Last-Modified
	WeakTags bool
	SameTag  bool // a weak tag that is always the same
	Ignores  bool // If-Match and If-Unmodified-Since
}

// New returns a server that is closed with the test.
func New(t *testing.T) *Server {
	s := &Server{objects: make(map[string]object), entered: make(chan struct{}, manyRequests), left: make(chan struct{}, manyRequests)}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Server.Close)
	return s
}

// Put writes an object, which was modified an hour ago and a second after the one before.
func (s *Server) Put(path, data string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.puts++
	s.objects[path] = object{data, fmt.Sprintf("%x", s.puts), time.Now().Add(time.Duration(s.puts)*time.Second - time.Hour)}
}

// PutOld writes an object with a date from before that of all others.
func (s *Server) PutOld(path, data string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.puts++
	s.objects[path] = object{data, fmt.Sprintf("%x", s.puts), time.Now().Add(-1000*time.Hour - time.Duration(s.puts)*time.Second)}
}

// Drop removes an object.
func (s *Server) Drop(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.objects, path)
}

// Behave changes how the server answers.
func (s *Server) Behave(b Behavior) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behavior = b
}

// Script answers the next requests by functions; nil answers as usual.
func (s *Server) Script(answers ...http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = answers
}

// manyRequests is more than a test makes.
const manyRequests = 10_000

// Hold lets requests wait until a channel is closed, or their callers leave.
func (s *Server) Hold(until <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = until
}

// AwaitHeld waits until n more requests have come that wait.
func (s *Server) AwaitHeld(n int) {
	for range n {
		<-s.entered
	}
}

// AwaitLeft waits until n more callers have left that waited.
func (s *Server) AwaitLeft(n int) {
	for range n {
		<-s.left
	}
}

// FailEvery breaks off each n-th request; 0 breaks off none.
func (s *Server) FailEvery(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = n
}

// wait waits as long as requests are held.
func (s *Server) wait(r *http.Request) {
	s.mu.Lock()
	held := s.held
	s.mu.Unlock()
	if held == nil {
		return
	}
	s.entered <- struct{}{}
	select {
	case <-held:
	case <-r.Context().Done():
		s.left <- struct{}{}
	}
}

// fails reports whether a request is broken off.
func (s *Server) fails() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	return s.faults > 0 && s.count%s.faults == 0
}

// Asked returns the requests since the last call.
func (s *Server) Asked() []Asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

// Paths returns the paths of the objects that begin with a prefix, sorted.
func (s *Server) Paths(prefix string) (paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path := range s.objects {
		if strings.HasPrefix(path, prefix) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Stamp returns the size, the ETag and the time of an object.
func (s *Server) Stamp(path string) (size int64, tag string, modified time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.objects[path]
	return int64(len(o.data)), `"` + o.tag + `"`, o.modified
}

// next records a request, and returns what answers it, with the object as it is now.
func (s *Server) next(r *http.Request) (answer http.HandlerFunc, o object, exists bool, b Behavior) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, Asked{r.URL.RequestURI(), r.Header.Get("Range"), r.Header.Clone()})
	if len(s.script) > 0 {
		answer, s.script = s.script[0], s.script[1:]
	}
	o, exists = s.objects[r.URL.Path]
	return answer, o, exists, s.behavior
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	answer, o, exists, b := s.next(r)
	s.wait(r)
	if s.fails() {
		panic(http.ErrAbortHandler)
	}
	if answer != nil {
		answer(w, r)
		return
	}
	if !exists {
		http.NotFound(w, r)
		return
	}
	o.serve(w, r, b)
}

func (o object) serve(w http.ResponseWriter, r *http.Request, b Behavior) {
	switch {
	case b.NoTags:
	case b.SameTag:
		w.Header().Set("ETag", `W/"same"`)
	case b.WeakTags:
		w.Header().Set("ETag", `W/"`+o.tag+`"`)
	default:
		w.Header().Set("ETag", `"`+o.tag+`"`)
	}
	modified := o.modified
	if b.NoDates {
		modified = time.Time{}
	}
	if b.NoRanges {
		r.Header.Del("Range")
	}
	if b.Ignores {
		r.Header.Del("If-Match")
		r.Header.Del("If-Unmodified-Since")
	}
	http.ServeContent(w, r, "object.tif", modified, strings.NewReader(o.data))
}
