package config

import (
	"os"
	"strings"

	"tileserver/signature"
)

// KeysVariable is the variable of the environment with the keys of signed addresses.
const KeysVariable = "TILESERVER_SIGNING_KEYS"

// Keys returns the keys of signed addresses: those in the file, or else in the environment.
func (c *Config) Keys() (signature.Keys, error) {
	if c.SigningKeys == "" {
		keys, err := signature.ParseKeys(strings.Join(strings.Fields(os.Getenv(KeysVariable)), "\n"))
		if err != nil {
			return nil, Mistake{text: KeysVariable + ": " + err.Error()}
		}
		return keys, nil
	}
	place := c.At("signing_keys")
	text, err := readBounded(c.SigningKeys)
	if err != nil {
		return nil, place.Mistakef("%s", notRead(c.SigningKeys, err))
	}
	keys, err := signature.ParseKeys(string(text))
	if err != nil {
		return nil, place.Mistakef("%s: %v", c.SigningKeys, err)
	}
	return keys, nil
}
