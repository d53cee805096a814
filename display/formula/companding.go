package formula

// toLight converts an sRGB value from 0 to 1 to linear light.
func toLight(value float64) float64 {
	if value <= 0.04045 {
		return value / 12.92
	}
	return power((value+0.055)/1.055, 2.4)
}

// The conversion between linear sRGB and CIE XYZ, with a D65 white point, in both directions.
const (
	redX, greenX, blueX = 0.4124564, 0.3575761, 0.1804375
	redY, greenY, blueY = 0.2126729, 0.7151522, 0.0721750
	redZ, greenZ, blueZ = 0.0193339, 0.1191920, 0.9503041

	xRed, yRed, zRed       = 3.2404542, -1.5371385, -0.4985314
	xGreen, yGreen, zGreen = -0.9692660, 1.8760108, 0.0415560
	xBlue, yBlue, zBlue    = 0.0556434, -0.2040259, 1.0572252

	whiteX, whiteZ = 0.95047, 1.08883 // Y is 1
)
