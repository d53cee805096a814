package http

import (
	"maps"
	"slices"

	"tileserver/http/serve"
)

// RoutePatterns returns the patterns of all public routes.
func RoutePatterns() []string {
	return slices.Sorted(maps.Keys(routes(serve.New(serve.Config{}, nil))))
}
