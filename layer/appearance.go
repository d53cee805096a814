package layer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"tileserver/display"
	"tileserver/display/terrain"
	"tileserver/layer/providers"
	"tileserver/pyramid/resample"
	"tileserver/style"
)

// An Appearance is a version of a layer in a style and a format: everything that a picture depends
// on but what it shows of the layer.
type Appearance struct {
	layer      *Layer
	version    *version
	request    Request // in canonical form; questions do not depend on the area
	providers  providers.Set
	resolved   *display.Resolved
	resampling resample.Method
}

// CanShow reports whether the layer can be shown in a style and a format.
func (l *Layer) CanShow(s style.Style, f Format) bool {
	_, err := l.Appearance(s, f)
	return err == nil
}

// Appearance returns the appearance of the layer in a style and a format. It reads no pixels. It
// returns an error if the dataset lacks what the style needs, or the format cannot hold the result.
func (l *Layer) Appearance(s style.Style, f Format) (*Appearance, error) {
	current, err := l.versions.Current()
	if err != nil {
		return nil, Classify(err)
	}
	a, err := l.appearanceOf(current, Request{Style: s, Format: f})
	if err != nil {
		return nil, Classify(err)
	}
	return &a, nil
}

// appearanceOf returns the appearance of a version of the layer in a request.
func (l *Layer) appearanceOf(current *version, r Request) (Appearance, error) {
	if err := checkQuality(r.Encoding); err != nil {
		return Appearance{}, err
	}
	r.Style = canonicalStyle(r.Style)
	r.Encoding = canonicalEncoding(r.Format, r.Encoding)
	r.Style.Background = canonicalBackground(r.Format, r.Style.Background)
	r.Style.Data = r.Format.IsData()
	r.Unmasked = r.Unmasked && r.Format == NPY
	read := l.providersFor(current, r.Style)
	info := read.Pyramid.Provider().Info()
	resolved, err := r.Style.Resolve(info)
	if err != nil {
		return Appearance{}, err
	}
	if resolved.HoldsNumbers() {
		if r.Format, r.Encoding, err = lossless(r.Format); err != nil {
			return Appearance{}, err
		}
		if resolved.IsDeep() && r.Format != PNG {
			return Appearance{}, invalid("16 bits per sample need png, not %v", r.Format)
		}
	}
	return Appearance{
		layer: l, version: current, request: r, providers: read, resolved: resolved,
		resampling: canonicalResampling(info, resolved.Bands(), r.Style.Resampling),
	}, nil
}

// Version identifies the appearance. It changes when any picture may have changed.
func (a *Appearance) Version() string {
	h := sha256.New()
	a.writeVersion(h)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// writeVersion writes what all pictures of the appearance depend on.
func (a *Appearance) writeVersion(w io.Writer) {
	fmt.Fprintf(w, "%d\x00%s\x00%s\x00%v\x00%v\x00%d", pictureVersion, a.providers.Pyramid.Key(), a.resolved.Key(),
		a.resampling, a.request.Style.Background, a.statisticsPixels())
	io.WriteString(w, a.providers.GridsKey())
	io.WriteString(w, a.layer.tileSetsVersion())
}

func (a *Appearance) statisticsPixels() int64 { return a.layer.statisticsPixels(a.resolved) }

// IsPerTile reports whether each picture is stretched by its own statistics. Neighboring pictures do
// not match then, and clients should not cache them.
func (a *Appearance) IsPerTile() bool { return a.resolved.IsPerTile() }

// Relief returns the terrain mode, if the style has one.
func (a *Appearance) Relief() (mode terrain.Mode, ok bool) {
	if a.request.Style.Relief == nil {
		return 0, false
	}
	return a.request.Style.Relief.Mode, true
}

// MayBeTransparent reports whether pictures may have transparent pixels, as far as is known without
// reading: missing blocks are not known.
func (a *Appearance) MayBeTransparent() bool {
	info, requested := a.providers.Pyramid.Provider().Info(), &a.request.Style
	relief, _ := a.Relief()
	if requested.Expression != nil || requested.Colors != nil || relief == terrain.ModeContours { // may have gaps
		return true
	}
	if a.resolved.Alpha() >= 0 || a.resolved.HoldsNumbers() || requested.NoData != nil || info.Masked || info.Type.IsFloat() {
		return true
	}
	for _, band := range a.resolved.Bands() {
		if info.Bands[band].HasNoData {
			return true
		}
	}
	for _, color := range info.Palette {
		if color.A != 255 {
			return true
		}
	}
	return false
}
