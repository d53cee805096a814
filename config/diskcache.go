package config

import (
	"fmt"
	"strings"

	"tileserver/source"
)

// A DiskCache is a folder with its size, written FOLDER:SIZE. The zero DiskCache is none.
type DiskCache struct {
	Folder string
	Size   Size
}

// minDiskCache holds some seconds of reading.
const minDiskCache Size = 64 << 20

// Set parses FOLDER:SIZE. The folder may have colons, as on Windows.
func (d *DiskCache) Set(text string) error {
	*d = DiskCache{}
	if text == "" {
		return nil
	}
	at := strings.LastIndexByte(text, ':')
	if at <= 0 || d.Size.Set(strings.TrimSpace(text[at+1:])) != nil {
		return fmt.Errorf("%q is not a folder and its size, such as /var/cache/tileserver:100GiB", source.Redacted(text))
	}
	d.Folder = text[:at]
	return nil
}

// String returns what Set parses.
func (d DiskCache) String() string {
	if d.Folder == "" {
		return ""
	}
	return d.Folder + ":" + d.Size.String()
}

// UnmarshalText parses FOLDER:SIZE in a configuration file.
func (d *DiskCache) UnmarshalText(text []byte) error { return d.Set(string(text)) }

func (v *validation) diskCache(path string, d DiskCache) {
	if d.Folder == "" {
		return
	}
	err := source.CheckLocal(d.Folder)
	v.require(err == nil, path, "%v", err)
	v.require(d.Size >= minDiskCache, path, "must have at least %v, not %v", minDiskCache, d.Size)
}
