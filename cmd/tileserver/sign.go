package main

import (
	"context"
	"fmt"
	"time"

	"tileserver/cmd/tileserver/sign"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
)

// signOptions are the options of sign.
type signOptions struct {
	config, keyFile, key string
	basePath             *string // nil if not given
	path, unsigned       string
	valid                time.Duration
}

// defaultValidity is how long a signature is valid. It is the working day of someone who opens a map.
const defaultValidity = 12 * time.Hour

// sign prints an address with a signature.
func (p *program) sign(_ context.Context, args []string) error {
	set := usage.Options("sign")
	var o signOptions
	set.StringVar(&o.keyFile, "key-file", "", "`FILE` Keys, a line ID:SECRET for each (default "+config.KeysVariable+" of the environment)")
	set.StringVar(&o.key, "key", "", "`ID` Key to sign with (default the first)")
	set.DurationVar(&o.valid, "expires", defaultValidity, "`DURATION` How long the signature is valid (default 12h)")
	set.StringVar(&o.path, "path", "", "`PATTERN` Path to sign in place of that of the address; * is any text without a slash, a / at the end everything below")
	set.StringVar(&o.unsigned, "unsigned", "", "`NAMES` Parameters that may be added or differ, such as bbox,width; * is any")
	set.StringVar(&o.config, "config", "", "`FILE` Configuration of the server, for its signing_keys and base_path")
	set.Func("base-path", "`PATH` Path under which clients see the server, which is not signed", func(path string) error {
		o.basePath = &path
		return nil
	})
	arguments, err := p.parse(set, args)
	if err != nil {
		return err
	}
	if len(arguments) != 1 || o.valid <= 0 {
		return usage.Mistakef("sign needs an address, and an --expires of more than 0")
	}
	options, err := o.read()
	if err != nil {
		return err
	}
	signed, err := sign.Address(arguments[0], options)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, signed)
	return err
}

// read reads the configuration and the keys.
func (o *signOptions) read() (sign.Options, error) {
	c := config.Default()
	if o.config != "" {
		if err := c.Load(o.config); err != nil {
			return sign.Options{}, err
		}
	}
	if o.keyFile != "" {
		c.SigningKeys = o.keyFile
	}
	keys, err := c.Keys()
	if err != nil {
		return sign.Options{}, err
	}
	if len(keys) == 0 {
		return sign.Options{}, usage.Mistakef("sign needs keys: give --key-file, --config, or %s in the environment", config.KeysVariable)
	}
	key, err := keys.ToSignWith(o.key)
	if err != nil {
		return sign.Options{}, usage.Mistakef("--key: %v", err)
	}
	_, basePath, err := c.PublicAddress()
	if err != nil {
		return sign.Options{}, err
	}
	if o.basePath != nil {
		basePath = *o.basePath
	}
	return sign.Options{Key: key, Until: time.Now().Add(o.valid), BasePath: basePath, Pattern: o.path, Unsigned: o.unsigned}, nil
}
