package bucket

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tileserver/source/web"
)

// list is an answer to ListObjectsV2 of S3, which Google has, too.
type list struct {
	XMLName      xml.Name       `xml:"ListBucketResult"`
	Objects      Many[listed]   `xml:"Contents"`
	Folders      Many[prefixed] `xml:"CommonPrefixes"`
	EncodingType string
	IsTruncated  bool
	Next         string `xml:"NextContinuationToken"`
}

type listed struct {
	Key          string
	Size         int64
	LastModified string
	ETag         string
}

type prefixed struct{ Prefix string }

// ListObjects returns a page of a folder in the bucket at a URL. The page before told after what it comes.
func ListObjects(ctx context.Context, f Folder, bucketURL *url.URL, after string, get web.Get) (web.Page, error) {
	asked := *bucketURL
	asked.RawQuery = listQuery(f.prefix, after)
	body, err := get(ctx, &asked)
	if err != nil {
		return web.Page{}, err
	}
	page, err := readList(body, f)
	if err != nil {
		return web.Page{}, fmt.Errorf("list of objects: %w", err)
	}
	return page, CheckNext(page, after)
}

// listQuery returns the query for a page, in the order and with the escapes that signatures have. Names
// come as in URLs, since XML has no control characters.
func listQuery(prefix, after string) string {
	query := "delimiter=%2F&encoding-type=url&list-type=2&max-keys=" + strconv.Itoa(PageSize) + "&prefix=" + Escape(prefix)
	if after == "" {
		return query
	}
	return "continuation-token=" + Escape(after) + "&" + query
}

// readList reads a page of a folder.
func readList(body []byte, f Folder) (page web.Page, err error) {
	var l list
	if err := Unmarshal(body, &l); err != nil {
		return web.Page{}, err
	}
	if len(l.Objects)+len(l.Folders) > PageSize {
		return web.Page{}, fmt.Errorf("more than %d objects and folders", PageSize)
	}
	for _, o := range l.Objects {
		if err := o.add(&page, f, l.EncodingType); err != nil {
			return web.Page{}, err
		}
	}
	for _, folder := range l.Folders {
		prefix, err := decoded(folder.Prefix, l.EncodingType)
		if err == nil {
			err = f.AddFolder(&page, prefix)
		}
		if err != nil {
			return web.Page{}, err
		}
	}
	if l.IsTruncated {
		page.Next = l.Next
		if l.Next == "" {
			return web.Page{}, errors.New("the list goes on, but the server does not say how to ask")
		}
	}
	return page, nil
}

// add adds an object to a page.
func (o *listed) add(page *web.Page, f Folder, encoding string) error {
	key, err := decoded(o.Key, encoding)
	if err != nil {
		return err
	}
	modified, err := time.Parse(time.RFC3339, strings.TrimSpace(o.LastModified))
	if err != nil && o.LastModified != "" {
		return fmt.Errorf("the time of %s is none", quote(key))
	}
	return f.AddObject(page, Object{Key: key, Size: o.Size, Modified: modified, Tag: o.ETag})
}

// decoded returns a key that is encoded as the document says. Some servers encode a space as a plus sign,
// and none leaves a plus sign as it is.
func decoded(key, encoding string) (string, error) {
	if encoding != "url" {
		return key, nil
	}
	plain, err := url.QueryUnescape(key)
	if err != nil {
		return "", fmt.Errorf("the key %s is not encoded as in URLs", quote(key))
	}
	return plain, nil
}

// maxNextBytes bounds what a server may say to ask for the next page with.
const maxNextBytes = 4096

// CheckNext returns an error if the page after a page cannot be asked for, or is the page itself.
func CheckNext(page web.Page, after string) error {
	switch {
	case len(page.Next) > maxNextBytes:
		return fmt.Errorf("list of objects: the token of the next page has %d bytes, more than %d", len(page.Next), maxNextBytes)
	case page.Next != "" && page.Next == after:
		return errors.New("list of objects: the server begins the same page again")
	}
	return nil
}
