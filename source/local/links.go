package local

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
)

// LinkRule says which symbolic links in a folder are followed.
type LinkRule int

// The rules of links.
const (
	FollowLinks LinkRule = iota // wherever they lead
	InsideLinks                 // to the same folder and below
	NoLinks
)

// Links bounds where links in folders may lead. A nil Links follows all of them. It is safe for
// concurrent use.
type Links struct {
	rule LinkRule
	now  atomic.Pointer[boundedFolders]
}

// boundedFolders are the folders of a rule, as absolute paths.
type boundedFolders struct{ folders, trusted []string }

// NewLinks returns a rule for the links in folders, of which there are none yet.
func NewLinks(rule LinkRule) *Links {
	l := &Links{rule: rule}
	l.Bound(nil, nil)
	return l
}

// Bound applies the rule to folders, with all that is below them, except for trusted files. It
// replaces those of the last call. Paths are canonical.
func (l *Links) Bound(folders, trusted []string) {
	l.now.Store(&boundedFolders{folders, trusted})
}

// folderOf returns the folder whose rule a path obeys.
func (b *boundedFolders) folderOf(path string) (folder string, isBounded bool) {
	if slices.Contains(b.trusted, path) {
		return "", false
	}
	at := slices.IndexFunc(b.folders, func(folder string) bool {
		below, err := filepath.Rel(folder, path)
		return err == nil && filepath.IsLocal(below)
	})
	if at < 0 {
		return "", false
	}
	return b.folders[at], true
}

// open opens a file as the rule allows.
func (l *Links) open(path string) (*os.File, error) {
	if l == nil || l.rule == FollowLinks {
		return os.Open(path)
	}
	folder, isBounded := l.now.Load().folderOf(path)
	if !isBounded {
		return os.Open(path)
	}
	root, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, err
	}
	leads, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(root, leads)
	switch {
	case err != nil, !filepath.IsLocal(below):
		return nil, fmt.Errorf("%s is a link that leads out of %s", path, folder)
	case l.rule == NoLinks && below != strings.TrimPrefix(path, folder+string(filepath.Separator)):
		return nil, fmt.Errorf("%s is a link", path)
	}
	return os.OpenInRoot(root, below) // even if a link changes meanwhile
}
