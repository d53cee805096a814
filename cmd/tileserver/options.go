package main

import (
	"flag"

	"tileserver/cmd/tileserver/usage"
	"tileserver/source"
)

// serverConfig returns the configuration of a command line: defaults, then the configuration file,
// then options. Its arguments are further paths. The functions own define options of the command.
func (p *program) serverConfig(command string, args []string, own ...func(*flag.FlagSet)) (config, error) {
	c := defaultConfig()
	set := usage.Options(command)
	path := set.String("config", "", "`FILE` Configuration file in YAML; options on the command line override it")
	c.define(set)
	for _, define := range own {
		define(set)
	}
	paths, err := p.parse(set, args)
	if err != nil {
		return c, err
	}
	for _, path := range paths {
		if err := source.CheckLocal(path); err != nil {
			return c, err
		}
	}
	var found mistakes
	if *path != "" {
		err := c.load(*path)
		if err != nil && !isConfigMistake(err) {
			return c, err
		}
		found.all = errorsIn(err)
		if _, err := p.parse(set, args); err != nil { // again, to override the file
			return c, err
		}
	}
	set.Visit(func(f *flag.Flag) { c.source.override(f.Name) })
	c.Paths = append(c.Paths, paths...)
	found.add(c.validate())
	return c, found.err()
}

// servedConfig is serverConfig for a command that needs something to serve. The error lists every
// mistake that shows without opening a file.
func (p *program) servedConfig(args []string, before *desiredState) (config, error) {
	c, err := p.serverConfig("serve", args)
	if err != nil && !isConfigMistake(err) {
		return c, err
	}
	found := mistakes{errorsIn(err)}
	_, err = before.successor(c)
	found.add(err)
	if len(c.Paths)+len(c.Layers) == 0 && !found.hasWithin("paths") && !found.hasWithin("layers") && !found.hasAt("") {
		found.add(usageError("serve needs a file or a folder; \"tileserver\" alone serves the demo"))
	}
	return c, found.err()
}
