package colormap

import (
	"encoding/hex"
	"fmt"
	"strings"

	"golang.org/x/image/colornames"
)

// Color is a color that is not premultiplied.
type Color struct{ R, G, B, A uint8 }

// String returns c as #rrggbbaa.
func (c Color) String() string {
	return "#" + hex.EncodeToString([]byte{c.R, c.G, c.B, c.A})
}

// word returns c as four bytes, red in the lowest.
func (c Color) word() uint32 {
	return uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(c.A)<<24
}

// ParseColor parses #rgb, #rgba, #rrggbb, #rrggbbaa or a CSS color name, in any case.
func ParseColor(text string) (Color, error) {
	c, err := readColorText(text)
	if err != nil {
		return Color{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return c, nil
}

func readColorText(text string) (Color, error) {
	if digits, isHex := strings.CutPrefix(text, "#"); isHex {
		return readHex(digits)
	}
	name := strings.ToLower(text)
	if name == "transparent" {
		return Color{}, nil
	}
	if c, known := colornames.Map[name]; known {
		return Color{c.R, c.G, c.B, c.A}, nil
	}
	return Color{}, fmt.Errorf("unknown color %.32q", text)
}

// readHex reads three or four channels of one or two digits each.
func readHex(digits string) (Color, error) {
	pairs := digits
	if len(digits) == 3 || len(digits) == 4 {
		var b strings.Builder
		for i := range len(digits) {
			b.WriteString(digits[i:i+1] + digits[i:i+1])
		}
		pairs = b.String()
	}
	channels, err := hex.DecodeString(pairs)
	if err != nil || len(channels) != 3 && len(channels) != 4 {
		return Color{}, fmt.Errorf("%.32q is not one of #rgb, #rgba, #rrggbb and #rrggbbaa", "#"+digits)
	}
	return colorOf(channels), nil
}

// colorOf converts three or four channels to a color. Three channels are opaque.
func colorOf(channels []uint8) Color {
	c := Color{channels[0], channels[1], channels[2], 255}
	if len(channels) == 4 {
		c.A = channels[3]
	}
	return c
}
