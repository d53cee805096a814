package request

import "tileserver/layer"

const maxQuality = 100

// Encoding returns the encoding options of pictures.
func (p *Parameters) Encoding() layer.Encoding {
	return layer.Encoding{
		Quality:    p.Integer("quality", 0, 1, maxQuality),
		FullChroma: p.Choice("subsampling", "420", "444") == "444",
		Lossless:   p.Boolean("lossless"),
	}
}

// Unmasked reports whether an array omits its mask band. Other formats have no such band: they
// store validity otherwise, or have a background.
func (p *Parameters) Unmasked(format layer.Format) bool {
	isUnmasked := p.Text("return_mask") != "" && !p.Boolean("return_mask")
	if isUnmasked && format != layer.NPY {
		p.Reject("unsupported parameter return_mask: only npy has the mask as a band")
	}
	return isUnmasked
}
