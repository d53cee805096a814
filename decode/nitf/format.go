package nitf

import (
	"bytes"
	"context"

	"tileserver/decode/container"
	"tileserver/source"
)

// Format returns the format of NITF files, which are opened with a Config. Of a single file are its
// Key, Beside and Warn: the options of opening replace them.
func Format(config Config) container.Format {
	return container.Format{
		Name:       "NITF",
		Extensions: []string{".ntf", ".nitf", ".nsf", ".nsif"},
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

// looksLikeNITF reports whether a file is NITF or NSIF, which includes CADRG, CIB, ECRG and SICD.
// It checks the name only, so that an unsupported edition can be named.
func looksLikeNITF(head []byte) bool {
	return bytes.HasPrefix(head, []byte("NITF")) || bytes.HasPrefix(head, []byte("NSIF"))
}
