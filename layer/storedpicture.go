package layer

import (
	"context"
	"slices"

	"tileserver/pyramid"
	"tileserver/raster"
)

// storedPicture returns the picture as stored in the file, without decoding it. The plan must be
// exactly one block, with default encoding and finish, and the style must show the stored pixels
// unchanged. Otherwise the result has no bytes.
func (p *part) storedPicture(ctx context.Context, plan *pyramid.Plan) (encodedPicture, error) {
	kind, ok := storedKind(p.request.Format)
	if !ok || p.request.Encoding != (Encoding{}) || p.request.Finish != (Finish{}) || !p.showsStoredSamples() {
		return encodedPicture{}, nil
	}
	rect, ok := plan.Exact()
	if !ok {
		return encodedPicture{}, nil
	}
	stored, ok, err := raster.FindStoredPicture(ctx, p.providers.Pyramid.Provider(), plan.Level, rect)
	if err != nil || !ok || stored.Kind != kind {
		return encodedPicture{}, err
	}
	return encodedPicture{bytes: stored.Bytes, mime: formats[p.request.Format].mime, isStored: true}, nil
}

func storedKind(f Format) (raster.PictureKind, bool) {
	switch f {
	case JPEG:
		return raster.JPEG, true
	case WebP:
		return raster.WebP, true
	}
	return 0, false
}

// showsStoredSamples reports whether the picture shows the samples of the pyramid unchanged, band by
// band. Whether these are the samples of the file, the providers in between know.
func (p *part) showsStoredSamples() bool {
	if !p.resolved.IsVerbatim() {
		return false
	}
	bands := p.resolved.Bands()
	if alpha := p.resolved.Alpha(); alpha >= 0 {
		bands = append(bands, alpha)
	}
	return slices.Equal(bands, p.providers.Pyramid.Provider().Info().AllBands())
}
