package web

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"time"

	"tileserver/source"
)

// version is what a server tells of the bytes of an object. Equal versions have equal bytes.
type version struct {
	size     int64
	tag      string // the ETag, as it is sent; or empty
	modified int64  // in Unix nanoseconds, of whole seconds; 0 is unknown
}

// versionOf returns the version of an answer about an object of size bytes.
func versionOf(header http.Header, size int64) version {
	v := version{size: size, tag: header.Get("ETag")}
	if modified, err := http.ParseTime(header.Get("Last-Modified")); err == nil {
		v.modified = modified.UnixNano()
	}
	return v
}

// isStrong reports whether the tag differs whenever the bytes do. Servers compare only such tags.
func (v version) isStrong() bool { return v.tag != "" && !strings.HasPrefix(v.tag, "W/") }

// isSame reports whether both versions have the same bytes. A strong tag tells; else all that is known must be equal.
func (v version) isSame(other version) bool {
	if v.isStrong() && other.isStrong() {
		return v.size == other.size && v.tag == other.tag
	}
	isSameTag := v.tag == other.tag || v.tag == "" || other.tag == ""
	return isSameTag && v.size == other.size && v.modified == other.modified
}

// isKnown reports whether anything but the size tells versions apart.
func (v version) isKnown() bool { return v.tag != "" || v.modified != 0 }

// require lets a server answer only if the object still has this version. A date would not do: some servers count
// parts of a second that they do not tell, and then refuse what has not changed. Answers are compared anyway.
func (v version) require(header http.Header) {
	if v.isStrong() {
		header.Set("If-Match", v.tag)
	}
}

// exclude lets a server answer 304 if the object still has this version. A date would not do: servers answer so for
// any version that is older.
func (v version) exclude(header http.Header) {
	if v.isStrong() {
		header.Set("If-None-Match", v.tag)
	}
}

// String returns the version for keys. It is equal on all machines that read the object.
func (v version) String() string {
	of := v.tag
	if !v.isStrong() {
		of = fmt.Sprint(v.tag, v.modified)
	}
	sum := sha256.Sum256([]byte(of))
	return fmt.Sprintf("%x-%x", v.size, sum[:10])
}

// stamp returns the version as a store tells it.
func (v version) stamp() source.Stamp {
	return source.Stamp{Size: v.size, Modified: v.modified, Tag: v.tag}
}

// versionIn returns the version of a stamp. Lists tell parts of a second, answers do not.
func versionIn(s source.Stamp) version {
	return version{s.Size, s.Tag, s.Modified - s.Modified%int64(time.Second)}
}
