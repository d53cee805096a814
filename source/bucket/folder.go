package bucket

import (
	"fmt"
	"strings"
	"time"

	"tileserver/source"
	"tileserver/source/web"
)

// Folder is a folder that is listed.
type Folder struct {
	path   string // without a slash at its end
	prefix string // of its keys, with a slash at its end; "" for a bucket
}

// FolderAt returns the folder of an address, which has a path.
func FolderAt(path string, a Address) (Folder, error) {
	if a.Key == "" {
		return Folder{path: path}, nil
	}
	return Folder{path, a.Key + "/"}, CheckKey(a.Key)
}

// Prefix returns what the keys of the folder begin with.
func (f Folder) Prefix() string { return f.prefix }

// Object is an object in a list.
type Object struct {
	Key      string
	Size     int64
	Modified time.Time
	Tag      string // the ETag, with quotes or without
}

// AddObject adds an object of the folder to a page. A key that ends with a slash stands for a folder and is
// left out, as is one that no address can have.
func (f Folder) AddObject(page *web.Page, o Object) error {
	name, err := f.nameOf(o.Key)
	switch {
	case err != nil:
		return err
	case name == "" || strings.HasSuffix(name, "/"):
		return nil
	case strings.Contains(name, "/"):
		return fmt.Errorf("the server does not list by folders: %s", quote(o.Key))
	case o.Size < 0:
		return fmt.Errorf("the size of %s is negative", quote(o.Key))
	case CheckKey(name) != nil:
		return nil
	}
	page.Listed = append(page.Listed, web.Listed{
		Entry: source.Entry{Name: name, Path: f.path + "/" + name},
		Stamp: source.Stamp{Size: o.Size, Modified: secondOf(o.Modified), Tag: tagOf(o.Tag)},
	})
	return nil
}

// AddFolder adds a folder in the folder to a page, by what its keys begin with. One without a name is left
// out, as is one that no address can have.
func (f Folder) AddFolder(page *web.Page, prefix string) error {
	name, err := f.nameOf(prefix)
	if err != nil {
		return err
	}
	name, isFolder := strings.CutSuffix(name, "/")
	switch {
	case !isFolder || strings.Contains(name, "/"):
		return fmt.Errorf("the server does not list by folders: %s", quote(prefix))
	case name == "" || CheckKey(name) != nil:
		return nil
	}
	page.Listed = append(page.Listed, web.Listed{Entry: source.Entry{Name: name, Path: f.path + "/" + name, IsFolder: true}})
	return nil
}

// nameOf returns what follows the prefix of the folder.
func (f Folder) nameOf(key string) (string, error) {
	name, isWithin := strings.CutPrefix(key, f.prefix)
	if !isWithin {
		return "", fmt.Errorf("the server lists what is not in the folder: %s", quote(key))
	}
	return name, nil
}

// secondOf returns a time as headers tell it, in Unix nanoseconds: in whole seconds.
func secondOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Truncate(time.Second).UnixNano()
}

// tagOf returns an ETag as its header has it, with quotes, or "" if none can be so.
func tagOf(listed string) string {
	tag := strings.TrimSpace(listed)
	bare := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(tag, "W/"), `"`), `"`)
	isStrange := func(r rune) bool { return r <= ' ' || r == '"' || r >= 0x7f }
	switch {
	case bare == "" || strings.ContainsFunc(bare, isStrange):
		return ""
	case bare == tag:
		return `"` + tag + `"`
	}
	return tag
}

// quote returns the beginning of a key of a stranger for an error.
func quote(key string) string {
	const most = 100
	if len(key) > most {
		key = key[:most] + "…"
	}
	return fmt.Sprintf("%q", key)
}
