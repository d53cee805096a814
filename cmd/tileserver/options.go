package main

import "flag"

// serverConfig returns the configuration that a command line asks for: defaults, then the
// configuration file, then options. Arguments of the command line are further paths. Options
// that only the command has are defined by own.
func (p *program) serverConfig(command string, args []string, own ...func(*flag.FlagSet)) (config, error) {
	c := defaultConfig()
	set := flags(command)
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
		if err := checkLocal(path); err != nil {
			return c, err
		}
	}
	var found mistakes
	if *path != "" {
		err := c.load(*path)
		if err != nil && !isConfigMistake(err) {
			return c, err
		}
		found.all = toldOf(err)
		if _, err := p.parse(set, args); err != nil { // again, to override the file
			return c, err
		}
	}
	set.Visit(func(f *flag.Flag) { c.source.override(f.Name) })
	c.Paths = append(c.Paths, paths...)
	found.add(c.validate())
	return c, found.err()
}

// servedConfig is serverConfig of a command that needs something to serve. Its error is all that
// is wrong, as far as no file need be opened to know.
func (p *program) servedConfig(args []string, before *arrangement) (config, error) {
	c, err := p.serverConfig("serve", args)
	if err != nil && !isConfigMistake(err) {
		return c, err
	}
	found := mistakes{toldOf(err)}
	_, err = before.successor(c)
	found.add(err)
	if len(c.Paths)+len(c.Layers) == 0 && !found.isSpoiled("paths") && !found.isSpoiled("layers") && !found.isAbout("") {
		found.add(usageError("serve needs a file or a folder; \"tileserver\" alone serves the demo"))
	}
	return c, found.err()
}
