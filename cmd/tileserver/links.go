package main

import (
	"context"

	"tileserver/config"
	"tileserver/dataset"
	"tileserver/source"
	"tileserver/source/local"
)

// linkRule returns the rule of symbolic links with a configured name.
func linkRule(name string) local.LinkRule {
	switch name {
	case config.SymlinksInside:
		return local.InsideLinks
	case config.SymlinksNone:
		return local.NoLinks
	}
	return local.FollowLinks
}

// boundLinks applies the rule of links to the folders of a configuration. A file that it names is
// opened wherever its own link leads.
func (f servedFiles) boundLinks(ctx context.Context, c *config.Config) {
	var folders, named []string
	for i := range c.Layers {
		named = append(named, pathNamed(ctx, f, c.Layers[i].Path))
	}
	for _, text := range c.Paths {
		path := pathNamed(ctx, f, text)
		if state, err := f.Stat(ctx, path); err == nil && state.Mode.IsDir() {
			folders = append(folders, path)
		} else {
			named = append(named, path)
		}
	}
	f.links.Bound(folders, named)
}

// pathNamed returns the canonical path of a file or folder, of which text may name an image. The
// library reports mistakes in it.
func pathNamed(ctx context.Context, files source.Store, text string) string {
	address, err := dataset.ParseAddress(ctx, files, text)
	if err != nil {
		return files.Canonical(text)
	}
	return address.Canonical(files).Path
}
