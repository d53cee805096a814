package azure

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tileserver/source/bucket"
	"tileserver/source/web"
)

// List returns a page of a folder.
func (s *Service) List(ctx context.Context, folder, after string, get web.Get) (web.Page, error) {
	a, base, err := s.find(folder)
	if err != nil {
		return web.Page{}, err
	}
	f, err := bucket.FolderAt(a.path(), bucket.Address{Bucket: a.container, Key: a.blob})
	if err != nil {
		return web.Page{}, err
	}
	asked := bucket.Below(base, a.container)
	asked.RawQuery = listQuery(f.Prefix(), after)
	body, err := get(ctx, asked)
	if err != nil {
		return web.Page{}, err
	}
	page, err := readList(body, f)
	if err != nil {
		return web.Page{}, fmt.Errorf("list of blobs: %w", err)
	}
	return page, bucket.CheckNext(page, after)
}

// listQuery returns the query for a page.
func listQuery(prefix, after string) string {
	query := "restype=container&comp=list&delimiter=%2F&maxresults=" + strconv.Itoa(bucket.PageSize) + "&prefix=" + bucket.Escape(prefix)
	if after == "" {
		return query
	}
	return query + "&marker=" + bucket.Escape(after)
}

// list is an answer to List Blobs.
type list struct {
	XMLName xml.Name            `xml:"EnumerationResults"`
	Blobs   bucket.Many[blob]   `xml:"Blobs>Blob"`
	Folders bucket.Many[folder] `xml:"Blobs>BlobPrefix"`
	Next    string              `xml:"NextMarker"`
}

type folder struct{ Name name }

type blob struct {
	Name       name
	Properties struct {
		Size     int64  `xml:"Content-Length"`
		Modified string `xml:"Last-Modified"`
		Tag      string `xml:"Etag"`
		Kind     string `xml:"ResourceType"`
	}
}

// name is the name of a blob. It is encoded if XML cannot have it.
type name struct {
	IsEncoded bool   `xml:"Encoded,attr"`
	Text      string `xml:",chardata"`
}

// plain returns the name itself.
func (n name) plain() (string, error) {
	if !n.IsEncoded {
		return n.Text, nil
	}
	text, err := url.PathUnescape(n.Text)
	if err != nil {
		return "", errors.New("a name is not encoded as in URLs")
	}
	return text, nil
}

// readList reads a page of a folder.
func readList(body []byte, f bucket.Folder) (page web.Page, err error) {
	var l list
	if err := bucket.Unmarshal(body, &l); err != nil {
		return web.Page{}, err
	}
	if len(l.Blobs)+len(l.Folders) > bucket.PageSize {
		return web.Page{}, fmt.Errorf("more than %d blobs and folders", bucket.PageSize)
	}
	for i := range l.Blobs {
		if err := l.Blobs[i].add(&page, f); err != nil {
			return web.Page{}, err
		}
	}
	for _, each := range l.Folders {
		prefix, err := each.Name.plain()
		if err == nil {
			err = f.AddFolder(&page, prefix)
		}
		if err != nil {
			return web.Page{}, err
		}
	}
	page.Next = l.Next
	return page, nil
}

// add adds a blob to a page. Accounts with a hierarchy list folders as blobs, too.
func (b *blob) add(page *web.Page, f bucket.Folder) error {
	key, err := b.Name.plain()
	if err != nil || b.Properties.Kind == "directory" {
		return err
	}
	modified, err := time.Parse(http.TimeFormat, strings.TrimSpace(b.Properties.Modified))
	if err != nil && b.Properties.Modified != "" {
		return fmt.Errorf("the time of %.100q is none", key)
	}
	return f.AddObject(page, bucket.Object{Key: key, Size: b.Properties.Size, Modified: modified, Tag: b.Properties.Tag})
}
