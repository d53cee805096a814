package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"tileserver/access"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/layer"
	"tileserver/library"
	"tileserver/source"
	"tileserver/source/permit"
)

// visits opens the files that requests name by their address.
type visits struct {
	server *server
	policy permit.Policy
	access access.Policy
	shared library.Shared
}

// visit returns the layer of an address, which is opened if it is permitted.
func (v *visits) visit(ctx context.Context, address string) (*layer.Layer, error) {
	image := imageAt(address)
	path, err := v.policy.Check(image.Path)
	if err != nil {
		return nil, access.RefuseAddress(strings.TrimPrefix(err.Error(), permit.ErrNotPermitted.Error()+": "))
	}
	image.Path = path
	l, err := v.server.catalog.Visit(ctx, v.configOf(image.Canonical(v.server.visited.Files)))
	switch {
	case errors.Is(err, permit.ErrNotPermitted): // a redirect, or what a name resolves to
		return nil, access.RefuseAddress("the server of the file leads to an address that is not permitted")
	case err != nil:
		return nil, layer.Classify(err)
	}
	return l, nil
}

// imageAt parses an address with the number of an image behind a #, or without.
func imageAt(address string) dataset.Address {
	if at := strings.LastIndexByte(address, '#'); at >= 0 {
		if number, err := strconv.Atoi(address[at+1:]); err == nil && number > 0 {
			return dataset.Address{Path: address[:at], Number: number}
		}
	}
	return dataset.Address{Path: address, Number: 1}
}

// configOf returns the configuration of a layer. Its id is another one for another signature: what is cached of
// a file is only for those who may read it.
func (v *visits) configOf(image dataset.Address) layer.Config {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d", image.Path, image.Number))
	c := v.server.visited.Layer(image, dataset.Options{ID: fmt.Sprintf("url-%x", sum[:10])})
	name := source.NameFrom("", image.Path)
	c.Title = strings.TrimSuffix(name, filepath.Ext(name))
	c.Access, c.Shared, c.TileSets = v.access, v.shared.Styles, v.shared.TileSets
	return c
}

// visitsOf returns what opens the addresses in requests, or nil if the configuration permits none. Layers that are
// open were allowed what an earlier configuration says, so they are closed.
func (s *server) visitsOf(c *config.Config) (func(context.Context, string) (*layer.Layer, error), error) {
	s.catalog.CloseVisited()
	if len(c.URL.Allow) == 0 {
		return nil, nil
	}
	policy, err := c.URL.Policy()
	if err != nil {
		return nil, err
	}
	shared, err := sharedBy(c)
	if err != nil {
		return nil, err
	}
	v := &visits{s, policy, c.Allow.Policy(&config.Allow{}), shared}
	return v.visit, nil
}
