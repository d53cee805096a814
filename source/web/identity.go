package web

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"
	"time"

	"tileserver/source"
)

// weakAge is how old the last change must be if only its time tells versions apart: the clocks of servers count
// seconds, and a file that is being written has several versions in one.
const weakAge = time.Minute

// Identity identifies the content by its address and its version. It is empty for a version that may be that of
// other bytes, too.
func (o *object) Identity(context.Context) (string, error) {
	isOld := o.version.modified != 0 && o.openedAt.Sub(time.Unix(0, o.version.modified)) >= weakAge
	if !o.version.isStrong() && !isOld {
		return "", nil
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(unsigned(o.path)+"\n"+o.version.String()))), nil
}

// signatures are the parameters that prove who asks, in lower case, by those that only signed addresses have.
var signatures = map[string][]string{
	"x-amz-signature":  {"x-amz-signature", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-signedheaders", "x-amz-security-token"},
	"x-goog-signature": {"x-goog-signature", "x-goog-algorithm", "x-goog-credential", "x-goog-date", "x-goog-expires", "x-goog-signedheaders"},
	"signature":        {"signature", "awsaccesskeyid", "googleaccessid", "expires", "key-pair-id", "policy"},
	"sig":              {"sig", "sv", "ss", "srt", "sr", "sp", "st", "se", "spr", "sip", "skoid", "sktid", "skt", "ske", "sks", "skv"},
}

// unsigned returns an address without its signature, which differs each time. The rest of a query may name the
// object.
func unsigned(path string) string {
	address, text, hasQuery := strings.Cut(path, "?")
	if !source.IsWeb(path) || !hasQuery {
		return path
	}
	query, err := url.ParseQuery(text)
	if err != nil {
		return path
	}
	for name := range query {
		for _, parameter := range signatures[strings.ToLower(name)] {
			deleteFolded(query, parameter)
		}
	}
	return address + "?" + query.Encode()
}

// deleteFolded removes a parameter whatever the case of its letters.
func deleteFolded(query url.Values, parameter string) {
	for name := range query {
		if strings.EqualFold(name, parameter) {
			delete(query, name)
		}
	}
}
