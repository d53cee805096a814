// Package bucket has what the services of buckets have in common: the notation of addresses, keys in
// URLs, lists as XML, and what refusals say. The services of S3, Google and Azure use it. It must never
// know how a request is signed.
//
// Words: a *bucket* has objects, each with a *key*. A *folder* is what keys have in common up to a slash.
package bucket

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"
)

// Address is where an object or a folder lies. That of a whole bucket has no key.
type Address struct{ Bucket, Key string }

var (
	errBucket = errors.New("the address has no valid name of a bucket")
	errKey    = fmt.Errorf("the address is one of a bucket, not of an object: %w", fs.ErrNotExist)
)

// maxKeyBytes bounds keys: services allow 1024 bytes or as many characters.
const maxKeyBytes = 4096

// Split splits an address SCHEME://BUCKET/KEY. A key is written as it is, not escaped. Slashes at its end
// make no difference: a folder has them or not. Split checks neither of the two.
func Split(scheme, path string) (a Address, err error) {
	start := scheme + "://"
	if len(path) < len(start) || !strings.EqualFold(path[:len(start)], start) {
		return Address{}, fmt.Errorf("the address does not begin with %s", start)
	}
	a.Bucket, a.Key, _ = strings.Cut(path[len(start):], "/")
	a.Key = strings.TrimRight(a.Key, "/")
	return a, nil
}

// Path returns the address as text.
func (a Address) Path(scheme string) string {
	if a.Key == "" {
		return scheme + "://" + a.Bucket
	}
	return scheme + "://" + a.Bucket + "/" + a.Key
}

// CheckObject returns an error if the address is none of an object. It is fs.ErrNotExist for a bucket, which
// may be a folder.
func (a Address) CheckObject() error {
	if a.Key == "" {
		return errKey
	}
	return CheckKey(a.Key)
}

// CheckKey returns an error if a key cannot be that of an object or a folder. Elements of dots are allowed
// by services, but what lies between may take them for other folders.
func CheckKey(key string) error {
	switch {
	case len(key) > maxKeyBytes:
		return fmt.Errorf("the key has %d bytes, more than %d", len(key), maxKeyBytes)
	case !utf8.ValidString(key):
		return errors.New("the key is not UTF-8")
	case slices.ContainsFunc(strings.Split(key, "/"), isDots):
		return errors.New("the key has an element of dots, . or .., which others may take for another folder")
	}
	return nil
}

func isDots(element string) bool { return element == "." || element == ".." }

// CheckName returns an error if a bucket cannot have a name. The name of a bucket is a part of a host or
// of a path, so it has letters, digits and few signs, and begins with neither of these.
func CheckName(name string) error {
	isOther := func(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune("-_.", r) }
	if len(name) < 3 || len(name) > 255 || strings.ContainsFunc(name, isOther) || !isAlphanumeric(rune(name[0])) {
		return errBucket
	}
	return nil
}

func isAlphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
