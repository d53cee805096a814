package admin

import (
	"cmp"
	"slices"
	"strings"

	"tileserver/gpu/gather"
	"tileserver/gpu/route"
)

// DeviceStats tells what GPUs do.
type DeviceStats struct {
	IsReady          bool  // whether any is
	Starts, Failures int64 // of the processes that have them
	Gathered         gather.Stats
	Estimates        []route.Estimate
}

// gpuDocument tells where work went that a GPU could do, of this tile and of all, and what to expect of the
// next.
type gpuDocument struct {
	Ready   bool             `json:"ready"`
	Tile    []wentDocument   `json:"tile"` // when it was rendered; empty if it is not in the cache
	Went    []wentDocument   `json:"went"` // of all
	Kernels []kernelDocument `json:"kernels"`
}

type wentDocument struct {
	Place  string `json:"place"`
	Reason string `json:"reason"`
	Count  int64  `json:"count"`
}

type kernelDocument struct {
	Kernel    string  `json:"kernel"`
	Work      int64   `json:"work"`
	OnGPU     float64 `json:"on_gpu_seconds"`
	OnCores   float64 `json:"on_cores_seconds"`
	BreakEven int64   `json:"break_even_work"`
}

func gpuDocumentOf(s DeviceStats, ofTile map[gather.Outcome]int64) *gpuDocument {
	document := &gpuDocument{Ready: s.IsReady, Tile: wentOf(ofTile), Went: wentOf(s.Gathered.Offers), Kernels: []kernelDocument{}}
	for _, e := range s.Estimates {
		document.Kernels = append(document.Kernels, kernelDocument{e.Kernel, e.Work, e.OnDevice.Seconds(), e.OnCores.Seconds(), e.BreakEven})
	}
	return document
}

// wentOf lists outcomes by place and reason.
func wentOf(offers map[gather.Outcome]int64) []wentDocument {
	went := make([]wentDocument, 0, len(offers))
	for outcome, n := range offers {
		went = append(went, wentDocument{string(outcome.Place), string(outcome.Why), n})
	}
	slices.SortFunc(went, func(a, b wentDocument) int {
		return cmp.Or(strings.Compare(a.Place, b.Place), strings.Compare(a.Reason, b.Reason))
	})
	return went
}
