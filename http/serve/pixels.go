package serve

import (
	"cmp"

	"tileserver/http/request"
	"tileserver/layer"
)

// Deep Zoom, IIIF and Zoomify share this: they show the pixels of an image, not its position on
// earth.

// TileSide returns the side of tiles in pixels of the image: that of the file's blocks if viewers
// support it. A tile is then one block on every level, and may be sent as it is stored. So tiles
// must not overlap their neighbors. If strangers may not ask for such tiles, they are smaller, for
// everybody: all see the same document.
func TileSide(l *layer.Layer) int {
	const usual, large = 256, 512
	side := usual
	if level := l.Describe().Info.Levels[0]; level.BlockWidth == large && level.BlockHeight == large {
		side = large
	}
	for side > 1 && l.Access().Strangers.CheckSize(side, side) != nil {
		side /= 2
	}
	return side
}

// PixelFormat returns the format that the parameters name, or the one that suits the layer: PNG if
// pictures may be transparent, else JPEG. If strangers may not ask for that, it is one that they may.
func (s *Server) PixelFormat(p *request.Parameters, l *layer.Layer) (layer.Format, error) {
	if p.Text("format") != "" {
		format := p.Format()
		return format, cmp.Or(p.Err, CheckFormat(p, l, format))
	}
	appearance, err := AppearanceOf(l, p, layer.PNG)
	if err != nil {
		return layer.PNG, err
	}
	suitable := []layer.Format{layer.JPEG, layer.PNG, layer.WebP}
	if appearance.MayBeTransparent() {
		suitable = []layer.Format{layer.PNG, layer.WebP, layer.JPEG}
	}
	if allowed := Allowed(l, suitable...); len(allowed) > 0 {
		return allowed[0], nil
	}
	return suitable[0], CheckFormat(p, l, suitable[0])
}
