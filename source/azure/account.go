package azure

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"tileserver/source/bucket"
)

// account is the account of the configuration, with what proves who asks.
type account struct {
	name string
	base *url.URL // of its containers; nil: there is no account
	key  []byte   // nil: there is none
	sas  string   // as a query; "": there is none
}

var accountName = regexp.MustCompile(`^[a-z0-9]{3,24}$`)

// newAccount returns the account of a configuration, which may have none.
func newAccount(c Config) (own account, err error) {
	own.name = c.Account
	switch {
	case c.Account != "" && !accountName.MatchString(c.Account):
		return own, errors.New("the name of the account must have 3 to 24 small letters and digits")
	case c.Endpoint != "":
		own.base, err = bucket.ParseEndpoint(c.Endpoint)
	case c.Account != "":
		own.base = &url.URL{Scheme: "https", Host: c.Account + ".blob.core.windows.net"}
	case c.Key != "" || c.SAS != "":
		err = errors.New("there is a key or a signature, but no account")
	}
	if err == nil {
		err = own.setSecrets(c)
	}
	return own, err
}

// setSecrets takes the key or the signature of a configuration. What others could use is encrypted on its way.
func (own *account) setSecrets(c Config) (err error) {
	if c.Key != "" {
		own.key, err = base64.StdEncoding.DecodeString(c.Key)
	}
	own.sas = strings.TrimPrefix(c.SAS, "?")
	parameters, sasErr := url.ParseQuery(own.sas)
	switch {
	case err != nil:
		return errors.New("the key of the account is not Base64") // without its text
	case c.Key != "" && c.Account == "":
		return errors.New("there is a key, but no name of its account")
	case own.sas != "" && (sasErr != nil || !parameters.Has("sig")):
		return errors.New("the shared access signature is none: it must have sig=")
	case own.base != nil && !c.Anonymous && own.key == nil && !bucket.KeepsSecrets(own.base):
		return errors.New("the endpoint must begin with https://, since others could read the token or signature of a request, or requests must be anonymous")
	}
	return nil
}

// hasSecret reports whether requests to the account need no token.
func (own *account) hasSecret() bool { return own.key != nil || own.sas != "" }

// has reports whether a URL leads to the account.
func (own *account) has(u *url.URL) bool { return own.base != nil && bucket.IsBelow(own.base, u) }

// baseOf returns the URL of the containers of an account.
func (own *account) baseOf(a address) (*url.URL, error) {
	switch {
	case a.host != "":
		return &url.URL{Scheme: "https", Host: a.host}, nil
	case own.base == nil:
		return nil, errors.New("the address names no account (set AZURE_STORAGE_ACCOUNT, or write az://ACCOUNT.blob.core.windows.net/CONTAINER/BLOB)")
	}
	return own.base, nil
}

// addSAS adds the shared access signature to a request that does not have it.
func (own *account) addSAS(r *http.Request) {
	signed := *r.URL
	switch {
	case strings.HasSuffix(signed.RawQuery, own.sas):
	case signed.RawQuery == "":
		signed.RawQuery = own.sas
	default:
		signed.RawQuery += "&" + own.sas
	}
	r.URL = &signed
}
