package signature

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tileserver/identifier"
)

// A Key signs addresses.
type Key struct {
	ID     string
	Secret string
}

// Keys are the keys whose signatures are accepted. Several are valid at a time, so that one can
// replace another.
type Keys []Key

// The bounds of keys.
const (
	minSecretBytes = 32 // as many as the hash has
	maxKeys        = 100
)

// ParseKeys parses keys written as ID:SECRET, a line for each. Empty lines, and those that begin with
// a hash, are skipped. An error does not contain a secret.
func ParseKeys(text string) (Keys, error) {
	var keys Keys
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, err := parseKey(line)
		if err == nil && len(keys) == maxKeys {
			err = fmt.Errorf("there are more than %d", maxKeys)
		}
		if _, exists := keys.find(key.ID); err == nil && exists {
			err = fmt.Errorf("two have the id %q", key.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("key %d: %w", len(keys)+1, err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func parseKey(line string) (Key, error) {
	id, secret, hasSecret := strings.Cut(line, ":")
	switch {
	case !hasSecret:
		return Key{}, errors.New("write it as ID:SECRET")
	case !identifier.IsValid(id):
		return Key{}, errors.New(`its id must be of letters, digits, "-", "_" and "."`)
	case strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }):
		return Key{}, errors.New("its secret must be of printable ASCII characters without spaces")
	case len(secret) < minSecretBytes:
		return Key{}, fmt.Errorf("its secret must have at least %d characters; openssl rand -hex 32 makes one", minSecretBytes)
	}
	return Key{id, secret}, nil
}

// find returns the key with an id.
func (k Keys) find(id string) (Key, bool) {
	at := slices.IndexFunc(k, func(key Key) bool { return key.ID == id })
	if at < 0 {
		return Key{}, false
	}
	return k[at], true
}

// ToSignWith returns the key with an id, or the first one if the id is empty.
func (k Keys) ToSignWith(id string) (Key, error) {
	if id == "" && len(k) > 0 {
		return k[0], nil
	}
	key, ok := k.find(id)
	if !ok {
		return key, fmt.Errorf("there is no key %q", id)
	}
	return key, nil
}
