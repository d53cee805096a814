package jp2k

import (
	"context"

	"tileserver/decode/georeference"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/rpc"
	"tileserver/source"
)

// Config holds what Open needs beside the file: for its codestream, and for what lies around it. If
// the Key is empty, it is derived from the name and the version of the source.
type Config struct {
	components.Config

	// Beside opens a side file by its name, in the folder of the file. It fails with fs.ErrNotExist
	// if there is none. Nil means that there are no side files.
	Beside func(ctx context.Context, name string) (source.Source, error)

	// GeoTIFF reads the georeference of a GeoTIFF, which is the content of a GeoJP2 box. If it is
	// nil, GeoJP2 is ignored.
	GeoTIFF func(ctx context.Context, src source.Source) (georeference.Georeference, error)

	// RPC reads the camera model in the tags of a GeoTIFF, or returns nil if it has none. If it is
	// nil, that of GeoJP2 is ignored.
	RPC func(ctx context.Context, src source.Source) (*rpc.Model, error)
}
