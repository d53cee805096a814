package nitf

import (
	"bytes"
	"context"

	"tileserver/decode/container"
	"tileserver/decode/nitf/rpf"
	"tileserver/source"
)

// Format returns the format of NITF files, which are opened with a Config. Of a single file are its
// Key, Beside and Warn: the options of opening replace them.
func Format(config Config) container.Format {
	return container.Format{
		Name:       "NITF",
		Extensions: extensions(),
		Matches:    looksLikeNITF,
		Open: func(ctx context.Context, s source.Source, options container.Options) (container.File, error) {
			f, err := Open(ctx, s, config.forFile(options))
			if err != nil {
				return nil, err
			}
			return f, nil
		},
	}
}

// extensions returns the extensions of files that are served. The others of an R-set are overviews.
func extensions() []string {
	return append([]string{".ntf", ".nitf", ".nsf", ".nsif", ".r0"}, rpf.Extensions()...)
}

// looksLikeNITF reports whether a file is NITF or NSIF, which includes CADRG, CIB, ECRG and SICD.
// It checks the name only, so that an unsupported edition can be named.
func looksLikeNITF(head []byte) bool {
	return bytes.HasPrefix(head, []byte("NITF")) || bytes.HasPrefix(head, []byte("NSIF"))
}
