package library

import (
	"tileserver/access"
	"tileserver/layer"
	"tileserver/source"
)

// maxRemoteOpened is how many remote files that folders have are opened without being asked for. To open a file is a
// request, and it stays in memory. Of more, each is opened when somebody asks for its layer.
const maxRemoteOpened = 256

// splitOffered divides a list into the layers to open and those to offer: of the remote files that were found in
// folders, all or none are opened.
func splitOffered(list []desiredLayer) (toOpen, offered []desiredLayer) {
	count := 0
	for i := range list {
		if list[i].isFoundFarAway() {
			count++
		}
	}
	if count <= maxRemoteOpened {
		return list, nil
	}
	toOpen, offered = make([]desiredLayer, 0, len(list)-count), make([]desiredLayer, 0, count)
	for _, w := range list {
		if w.isFoundFarAway() {
			offered = append(offered, w)
		} else {
			toOpen = append(toOpen, w)
		}
	}
	return toOpen, offered
}

// isFoundFarAway reports whether a list of a bucket has the file, and nobody names it.
func (w *desiredLayer) isFoundFarAway() bool { return !w.isNamed && source.IsRemote(w.image.Path) }

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
