package api

import (
	"tileserver/http/request"
	"tileserver/layer/areas"
)

const (
	defaultPreviewSide = 512
	maxPreviewSide     = 2048
)

// previewArea returns the area of a preview: the whole image, in its own aspect ratio or that of
// width and height. A preview is never larger than the image.
func previewArea(p *request.Parameters) areas.Preview {
	side := p.Integer("max_size", defaultPreviewSide, 1, maxPreviewSide)
	width, height := p.Integer("width", 0, 1, maxPreviewSide), p.Integer("height", 0, 1, maxPreviewSide)
	if width+height > 0 {
		side = maxPreviewSide
	}
	return areas.Preview{MaxSize: side, Width: width, Height: height}
}
