package overviewbuild

import (
	"context"
	"fmt"

	"tileserver/admission"
	"tileserver/pyramid/overview"
)

// A Group is shared by a layer and the layers rebuilt from it, which serve the same dataset.
// Overviews are built once per group.
type Group struct {
	layerID string

	// Builder.mu guards the fields below.
	isStopped bool // whether no layer of the group is served now
	requested quota
}

// NewGroup returns a group of layers of an id.
func NewGroup(layerID string) *Group { return &Group{layerID: layerID} }

// A Target has the overviews that a picture of a version of a dataset is missing.
type Target struct {
	Group      *Group
	DatasetKey string           // of the version
	Source     admission.Source // of the dataset
	Overviews  Overviews
	Missing    *overview.TooExpensiveError

	// IsRequested says that only a request needs these overviews, and no style of the layer.
	IsRequested bool

	IsCurrent func() bool // whether the version is not superseded
	IsServed  func() bool // whether requests find the layer, not another one of its group
}

// Overviews are built in one pass over a file. It is an overview.Provider.
type Overviews interface {
	Key() string
	BuildBytes(missing *overview.TooExpensiveError) int64
	Build(ctx context.Context, missing *overview.TooExpensiveError, progress func(fraction float64)) error
}

// ID identifies the missing overviews.
func (t *Target) ID() string {
	return fmt.Sprint(t.Overviews.Key(), t.Missing.Level, t.Missing.IDs, t.Missing.Bands)
}

// work describes the build of a target to the gate.
func (t *Target) work() admission.Work {
	w := admission.Work{
		Purpose: admission.OverviewBuild, Group: t.Group.layerID, Bytes: t.Overviews.BuildBytes(t.Missing),
		Sources: []admission.Source{t.Source},
	}
	if t.IsRequested {
		w.Purpose = admission.RequestOverviewBuild
	}
	return w
}
