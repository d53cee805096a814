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
	pictured, isPictured := p.version.dataset.Provider.(raster.PictureProvider)
	if !ok || !isPictured || p.request.Encoding != (Encoding{}) || p.request.Finish != (Finish{}) || !p.showsStoredSamples(pictured) {
		return encodedPicture{}, nil
	}
	id, ok := exactBlock(pictured.Info(), plan)
	if !ok {
		return encodedPicture{}, nil
	}
	stored, ok, err := pictured.StoredPicture(ctx, plan.Level, id)
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

// showsStoredSamples reports whether the picture shows the samples of the file unchanged, band by
// band.
func (p *part) showsStoredSamples(stored raster.Provider) bool {
	info := stored.Info()
	if !p.resolved.IsVerbatim() || info.Orientation > 1 && p.providers.pyramid.CRS() == nil || info.Colors.Space != raster.RGB {
		return false
	}
	if canonicalNoData(info, p.request.Style.NoData) != nil {
		return false
	}
	bands := p.resolved.Bands()
	if alpha := p.resolved.Alpha(); alpha >= 0 {
		bands = append(bands, alpha)
	}
	return slices.Equal(bands, info.AllBands())
}

// exactBlock returns the block of the file that a plan shows completely, pixel by pixel, and alone.
func exactBlock(info *raster.Info, plan *pyramid.Plan) (raster.BlockID, bool) {
	window, ok := plan.Exact()
	if !ok || plan.Level >= len(info.Levels) {
		return raster.BlockID{}, false
	}
	l := info.Levels[plan.Level]
	id := raster.BlockID{Col: window.X0 / l.BlockWidth, Row: window.Y0 / l.BlockHeight}
	whole := window.Width() == l.BlockWidth && window.Height() == l.BlockHeight
	return id, whole && l.Contains(id) && l.Block(id) == window
}
