package main

import (
	"context"
	"errors"

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
// opened wherever its own link leads. What does not answer now may be a folder. Addresses lead to no links.
func (f servedFiles) boundLinks(ctx context.Context, c *config.Config) {
	var folders, named, paths []string
	for i := range c.Layers {
		if !source.IsRemote(c.Layers[i].Path) {
			named = append(named, pathNamed(ctx, f, c.Layers[i].Path))
		}
	}
	for i := range c.Paths {
		if !source.IsRemote(c.Paths[i].Path) {
			paths = append(paths, pathNamed(ctx, f, c.Paths[i].Path))
		}
	}
	for i, there := range source.StatAll(ctx, f, paths) {
		if there.Err == nil && there.Mode.IsDir() || errors.Is(there.Err, source.ErrStalled) {
			folders = append(folders, paths[i])
		} else {
			named = append(named, paths[i])
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
