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

// gpuDocument tells where the work of all tiles went that a GPU could do, and what to expect of the next.
type gpuDocument struct {
	Ready   bool             `json:"ready"`
	Went    []wentDocument   `json:"went"`
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

func gpuDocumentOf(s DeviceStats) *gpuDocument {
	document := &gpuDocument{Ready: s.IsReady, Went: []wentDocument{}, Kernels: []kernelDocument{}}
	for outcome, n := range s.Gathered.Offers {
		document.Went = append(document.Went, wentDocument{string(outcome.Place), string(outcome.Why), n})
	}
	slices.SortFunc(document.Went, func(a, b wentDocument) int {
		return cmp.Or(strings.Compare(a.Place, b.Place), strings.Compare(a.Reason, b.Reason))
	})
	for _, e := range s.Estimates {
		document.Kernels = append(document.Kernels, kernelDocument{e.Kernel, e.Work, e.OnDevice.Seconds(), e.OnCores.Seconds(), e.BreakEven})
	}
	return document
}
