package main

import (
	"context"
	"flag"

	"tileserver/cmd/tileserver/grids"
	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/library"
	"tileserver/source/disktier"
)

// serverConfig returns the configuration of a command line: defaults, then the configuration file,
// then options. Its arguments are further paths. The functions own define options of the command.
func (p *program) serverConfig(command string, args []string, own ...func(*flag.FlagSet)) (config.Config, error) {
	c := config.Default()
	set := usage.Options(command)
	path := set.String("config", "", "`FILE` Configuration file in YAML; options on the command line override it")
	c.Define(set)
	for _, define := range own {
		define(set)
	}
	paths, err := p.parse(set, args)
	if err != nil {
		return c, err
	}
	var found config.Mistakes
	if *path != "" {
		err := c.Load(*path)
		if err != nil && !config.IsMistake(err) {
			return c, err
		}
		found = config.MistakesIn(err)
		if _, err := p.parse(set, args); err != nil { // again, to override the file
			return c, err
		}
	}
	set.Visit(func(f *flag.Flag) { c.Override(f.Name) })
	for _, path := range paths {
		c.Paths = append(c.Paths, config.Path{Path: path})
	}
	found.Add(c.Validate())
	found.Add(p.limit.Fit(&c, filesInMemory(&c), gpusOf(&c)))
	return c, found.Err()
}

// filesInMemory returns the most bytes of files that stay in memory.
func filesInMemory(c *config.Config) memory.Files {
	shifts, _ := grids.Open(c.Grids, func(string, error) {}) // the server tells what is wrong with them
	files := memory.Files{Grids: shifts.MaxBytes}
	if c.DiskCache.Folder != "" {
		files.DiskCache = disktier.MemoryBytes(int64(c.DiskCache.Size))
	}
	if c.ReadsRemote() {
		files.Remote = int64(c.RemoteMemory)
	}
	for i := range c.Layers {
		if c.Layers[i].DEM != "" {
			files.Heights += dataset.MaxTerrainBytes
		}
	}
	return files
}

// servedConfig is serverConfig for a command that needs something to serve. The error lists every
// mistake that shows without opening a file. The library checks it; nil if the server has none yet.
func (p *program) servedConfig(ctx context.Context, args []string, l *library.Library) (config.Config, library.Desired, error) {
	c, err := p.serverConfig("serve", args)
	if err != nil && !config.IsMistake(err) {
		return c, library.Desired{}, err
	}
	found := config.MistakesIn(err)
	if l == nil {
		found.Add(p.mountRemote(&c))
		l = library.New(library.Config{Files: p.servedFiles(config.Default().StorageTimeout, nil, nil, nil)})
	}
	desired, err := desiredBy(&c)
	addMistakes(&found, l.Check(ctx, desired))
	found.Add(err)
	if len(c.Paths)+len(c.Layers)+len(c.URL.Allow) == 0 && !found.HasWithin("paths") && !found.HasWithin("layers") && !found.HasAt("") {
		found.Add(usage.Mistakef("serve needs a file or a folder; \"tileserver\" alone serves the demo"))
	}
	return c, desired, found.Err()
}
