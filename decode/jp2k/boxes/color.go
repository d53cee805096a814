package boxes

import (
	"encoding/binary"
	"fmt"
)

// Method is how a ColorSpec defines the color space.
type Method uint8

// The methods. Others are vendor-specific.
const (
	Enumerated        Method = 1 // by a number of the standard
	RestrictedProfile Method = 2 // by a restricted ICC profile: curves and a matrix
	AnyProfile        Method = 3 // by an ICC profile
	Parameterized     Method = 5 // by the code points of video coding
)

// Space is an enumerated color space.
type Space uint32

// The common color spaces.
const (
	BiLevel  Space = 0
	YCbCr1   Space = 1
	YCbCr2   Space = 3
	YCbCr3   Space = 4
	PhotoYCC Space = 9
	CMY      Space = 11
	CMYK     Space = 12
	YCCK     Space = 13
	Lab      Space = 14
	BiLevel2 Space = 15
	SRGB     Space = 16
	Gray     Space = 17
	SYCC     Space = 18
	JAB      Space = 19
	ESRGB    Space = 20
	ROMMRGB  Space = 21
	ESYCC    Space = 24
)

// String returns the name of the color space, or its number.
func (s Space) String() string {
	switch s {
	case BiLevel, BiLevel2:
		return "bilevel"
	case YCbCr1, YCbCr2, YCbCr3:
		return "YCbCr"
	case PhotoYCC:
		return "PhotoYCC"
	case CMY:
		return "CMY"
	case CMYK:
		return "CMYK"
	case YCCK:
		return "YCCK"
	case Lab:
		return "CIELab"
	case SRGB:
		return "sRGB"
	case Gray:
		return "gray"
	case SYCC:
		return "sYCC"
	case JAB:
		return "CIEJab"
	case ESRGB:
		return "e-sRGB"
	case ROMMRGB:
		return "ROMM-RGB"
	case ESYCC:
		return "e-sYCC"
	}
	return fmt.Sprintf("color space %d", uint32(s))
}

// colors returns the number of colors, or 0 if unknown.
func (s Space) colors() int {
	switch s {
	case BiLevel, BiLevel2, Gray:
		return 1
	case CMYK, YCCK:
		return 4
	case YCbCr1, YCbCr2, YCbCr3, PhotoYCC, CMY, Lab, SRGB, SYCC, JAB, ESRGB, ROMMRGB, ESYCC:
		return 3
	}
	return 0
}

// ColorSpec defines the colors of the image. A file may have several that define the same in
// different ways.
type ColorSpec struct {
	Method        Method
	Precedence    int8  // the highest is preferred
	Approximation uint8 // accuracy: 1 is exact, 4 is poor, 0 is unknown

	Space   Space     // for method Enumerated
	Lab     *LabRange // for space Lab; nil if not stored
	Profile *Profile  // for the methods with a profile
}

// String returns a description for the operator.
func (s ColorSpec) String() string {
	switch {
	case s.Method == Enumerated:
		return s.Space.String()
	case s.Profile != nil:
		return fmt.Sprintf("%s by the profile %q", s.Profile.Space, s.Profile.Description)
	}
	return fmt.Sprintf("colors by method %d", s.Method)
}

// colors returns the number of colors, or 0 if unknown.
func (s ColorSpec) colors() int {
	switch {
	case s.Method == Enumerated:
		return s.Space.colors()
	case s.Profile != nil:
		return s.Profile.colors()
	}
	return 0
}

// LabRange is the range of samples of L, a and b. Sample s has the value
//
//	(s - Offset) * Range / (2^bits - 1)
type LabRange struct {
	Range, Offset [3]uint32
	Illuminant    uint32
}

// Color returns the preferred color specification among those that are understood; ok is false if
// there is none.
func (c *Container) Color() (best ColorSpec, ok bool) {
	for _, s := range c.ColorSpecs {
		if s.colors() > 0 && (!ok || s.Precedence > best.Precedence) {
			best, ok = s, true
		}
	}
	return best, ok
}

// maxColorSpecs is the maximum number of color specifications. Real files have a few.
const maxColorSpecs = 64

func (w *parser) colorSpec(b box) error {
	if len(w.c.ColorSpecs) == maxColorSpecs {
		w.note("%v exceeds the number of color specifications and is ignored", b)
		return nil
	}
	const fixed = 3
	content, err := w.content(b, min(w.limits.DataBytes, w.left))
	if err != nil || content == nil {
		return err
	}
	if len(content) < fixed {
		w.note("%v has %d bytes", b, len(content))
		return nil
	}
	s := ColorSpec{Method: Method(content[0]), Precedence: int8(content[1]), Approximation: content[2]}
	switch rest := content[fixed:]; {
	case s.Method == Enumerated && len(rest) < 4:
		w.note("%v names no color space", b)
		return nil
	case s.Method == Enumerated:
		s.Space = Space(binary.BigEndian.Uint32(rest))
		if s.Space == Lab {
			s.Lab = labRange(rest[4:])
		}
	case s.Method == RestrictedProfile || s.Method == AnyProfile:
		w.left -= len(rest)
		if s.Profile, err = newProfile(rest); err != nil {
			w.note("%v: %v", b, err)
		}
	default:
		w.note("%v defines colors by the unknown method %d", b, s.Method)
	}
	w.c.ColorSpecs = append(w.c.ColorSpecs, s)
	return nil
}

// labRange parses the parameters of CIELab. It returns nil if there are none.
func labRange(content []byte) *LabRange {
	const length = 28
	if len(content) < length {
		return nil
	}
	var r LabRange
	for i := range r.Range {
		r.Range[i], r.Offset[i] = binary.BigEndian.Uint32(content[8*i:]), binary.BigEndian.Uint32(content[8*i+4:])
	}
	r.Illuminant = binary.BigEndian.Uint32(content[24:])
	return &r
}
