package library

import (
	"cmp"

	"tileserver/access"
	"tileserver/layer"
	"tileserver/source"
)

// OpenLimits are how many files that were found in folders are opened without being asked for. Of more, each is opened
// when somebody asks for its layer. 0 is the default.
type OpenLimits struct {
	Local  int // an open file takes memory and a descriptor
	Remote int // and to open a remote one is a request
}

// The default limits.
const (
	DefaultOpenLocal  = 10_000
	DefaultOpenRemote = 256
)

// split divides a list into the layers to open and those to offer: of the files that were found on disk, and of those
// found far away, all or none are opened.
func (o OpenLimits) split(list []desiredLayer) (toOpen, offered []desiredLayer) {
	local, remote := 0, 0
	for i := range list {
		switch {
		case list[i].isNamed:
		case source.IsRemote(list[i].image.Path):
			remote++
		default:
			local++
		}
	}
	isLocalOffered, isRemoteOffered := local > cmp.Or(o.Local, DefaultOpenLocal), remote > cmp.Or(o.Remote, DefaultOpenRemote)
	if !isLocalOffered && !isRemoteOffered {
		return list, nil
	}
	for _, w := range list {
		isRemote := source.IsRemote(w.image.Path)
		if !w.isNamed && (isRemote && isRemoteOffered || !isRemote && isLocalOffered) {
			offered = append(offered, w)
		} else {
			toOpen = append(toOpen, w)
		}
	}
	return toOpen, offered
}

// offeredAs is what the configurations of offered layers are made from.
type offeredAs struct {
	shared any
	access []*access.Policy // of the paths
}

// offer publishes the layers that are offered.
func (l *Library) offer(offered []desiredLayer) {
	if len(offered)+len(l.offered) == 0 {
		return
	}
	if len(offered) != len(l.offered) {
		l.Logger.Info("files are opened when somebody asks for their layers", "layers", len(offered), "opened", len(l.opened))
	}
	l.offered = offered
	shared := l.desired.shared
	o := layer.Offers{Layers: make([]layer.Offered, len(offered))}
	index := make(map[string]int, len(offered))
	for i := range offered {
		index[offered[i].id] = i
		o.Layers[i] = layer.Offered{ID: offered[i].id, Title: offered[i].title}
	}
	o.ConfigOf = func(id string) layer.Config { return l.configOf(offered[index[id]], shared) }
	written := offeredAs{shared: shared.Written}
	for i := range l.desired.paths {
		written.access = append(written.access, l.desired.paths[i].access)
	}
	o.Written = written
	if err := l.Catalog.Offer(o); err != nil {
		l.Logger.Error("cannot offer layers", "err", err)
	}
}
