package source

import (
	"net/url"
	"path/filepath"
	"strings"
)

// Names of objects are written in two notations. A path on disk has the separators of the system. An
// address has a root, slashes, and on web servers a query, which may be a signature:
//
//	s3://bucket/folder/ortho.tif
//	https://example.org/folder/ortho.tif?sig=…

// parts are those of an address.
type parts struct {
	root  string // the scheme and the host or bucket
	names string // of folders and the object, without the slash between root and names
	query string // with what follows it
}

// split splits an address. Only web servers have queries: the key of an object may have a question mark.
func split(address string) (p parts) {
	start := remoteStart.FindString(address)
	rest := address[len(start):]
	if IsWeb(address) {
		if at := strings.IndexAny(rest, "?#"); at >= 0 {
			rest, p.query = rest[:at], rest[at:]
		}
	}
	host, names, _ := strings.Cut(rest, "/")
	p.root, p.names = start+host, names
	return p
}

// path returns the address without its query, and without slashes at its end.
func (p *parts) path() string {
	if names := strings.TrimRight(p.names, "/"); names != "" {
		return p.root + "/" + names
	}
	return p.root
}

// IsWeb reports whether an address is that of a web server.
func IsWeb(address string) bool {
	scheme, _, _ := strings.Cut(address, "://")
	return strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")
}

// NamesFolder reports whether an address can only be that of a folder, because it ends with a slash or
// is a bucket. A web server may have an object at such an address.
func NamesFolder(address string) bool {
	names := split(address).names
	return IsRemote(address) && !IsWeb(address) && (names == "" || strings.HasSuffix(names, "/"))
}

// WithoutSlash returns the address of a folder without slashes at its end, as it is canonical.
func WithoutSlash(address string) string {
	if !NamesFolder(address) {
		return address
	}
	p := split(address)
	return p.path()
}

// Folder returns the folder in which an object or a folder lies, without a slash at its end. That of a
// root is the root itself.
func Folder(path string) string {
	if !IsRemote(path) {
		return filepath.Dir(path)
	}
	p := split(path)
	p.names = strings.TrimRight(p.names, "/")
	p.names = p.names[:max(strings.LastIndexByte(p.names, '/'), 0)]
	return p.path()
}

// Base returns the name of an object or a folder in its folder. That of a root is its host or bucket.
func Base(path string) string {
	if !IsRemote(path) {
		return filepath.Base(path)
	}
	p := split(path)
	whole := p.path()
	return whole[strings.LastIndexByte(whole, '/')+1:]
}

// Join returns the path of a name in a folder.
func Join(folder, name string) string {
	if !IsRemote(folder) {
		return filepath.Join(folder, name)
	}
	p := split(folder)
	return p.path() + "/" + name
}

// IsBelow reports whether a path leads into a folder, which may be a root. Both are canonical.
func IsBelow(folder, path string) bool {
	_, is := below(folder, path)
	return is
}

// below returns what leads from a folder to a path, without a query.
func below(folder, path string) (names string, is bool) {
	separator := string(filepath.Separator)
	if IsRemote(path) {
		p := split(path)
		separator, path = "/", p.root+"/"+p.names
	}
	return strings.CutPrefix(path, strings.TrimSuffix(folder, separator)+separator)
}

// NameFrom returns how people call what lies at a path, from a folder on: the names below the folder,
// or if it does not lie there, the last one. Names on web servers are unescaped.
func NameFrom(folder, path string) string {
	name, isBelow := below(folder, path)
	if !isBelow || name == "" {
		name = Base(path)
	}
	if !IsWeb(path) {
		return name
	}
	if plain, err := url.PathUnescape(name); err == nil {
		return plain
	}
	return name
}

// Redacted returns a path as it may be told: an address without user and password, and without a query, even
// where that could belong to a key, since it may be a signature.
func Redacted(path string) string {
	if !IsRemote(path) {
		return path
	}
	path, _, _ = strings.Cut(path, "?")
	p := split(path)
	told := strings.TrimSuffix(path, p.query)
	start := remoteStart.FindString(told)
	host, _, _ := strings.Cut(told[len(start):], "/")
	return start + told[len(start)+strings.LastIndexByte(host, '@')+1:]
}
