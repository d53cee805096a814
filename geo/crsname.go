package geo

import (
	"fmt"
	"strconv"
	"strings"
)

// maxCRSName exceeds the length of any valid name.
const maxCRSName = 200

// ParseCRSName returns a system by its name as clients write it: "EPSG:3857", "[EPSG:3857]", a URN
// of the OGC, an address below opengis.net/def/crs, and CRS84 in all its forms. northingFirst is
// the axis order of coordinates that accompany the name. Full names, and their short form in
// brackets, imply the order of the registry's definition. "EPSG:4326" alone implies longitude
// before latitude, by common usage.
func ParseCRSName(text string) (crs *CRS, northingFirst bool, err error) {
	if len(text) > maxCRSName {
		return nil, false, fmt.Errorf("%w: a name of %d characters", ErrUnknownCRS, len(text))
	}
	authority, code, defined := splitCRSName(strings.TrimSpace(text))
	switch {
	case (authority == "OGC" || authority == "CRS") && (code == "CRS84" || code == "84"):
		return CRS84(), false, nil
	case authority != "EPSG":
		return nil, false, fmt.Errorf("%w: %q is no name of one, such as EPSG:3857 or CRS84", ErrUnknownCRS, text)
	}
	number, err := strconv.Atoi(code)
	if err != nil || number <= 0 || code[0] == '+' {
		return nil, false, fmt.Errorf("%w: %q has no number of the EPSG", ErrUnknownCRS, text)
	}
	if crs, err = ByCode(number); err != nil {
		return nil, false, err
	}
	return crs, defined && crs.NorthingFirst(), nil
}

// splitCRSName splits a name. defined means that the name refers to a definition in a register.
func splitCRSName(name string) (authority, code string, defined bool) {
	upper := strings.ToUpper(name)
	if inner, ok := strings.CutPrefix(upper, "["); ok {
		if upper, ok = strings.CutSuffix(inner, "]"); !ok {
			return "", "", false
		}
		authority, code = splitShort(upper)
		return authority, code, true
	}
	for _, prefix := range []string{"URN:OGC:DEF:CRS:", "URN:X-OGC:DEF:CRS:"} {
		if rest, ok := strings.CutPrefix(upper, prefix); ok {
			return splitVersioned(rest, ":")
		}
	}
	for _, scheme := range []string{"HTTP://", "HTTPS://"} {
		if rest, ok := strings.CutPrefix(upper, scheme); ok {
			return splitAddress(rest)
		}
	}
	if upper == "CRS84" {
		return "OGC", upper, false
	}
	authority, code = splitShort(upper)
	return authority, code, false
}

// splitShort reads an authority and a code. Clients may leave the version of the CRS84 URN between
// them.
func splitShort(name string) (authority, code string) {
	if strings.HasPrefix(name, "OGC:") {
		authority, code, _ = splitVersioned(name, ":")
		return authority, code
	}
	authority, code, _ = strings.Cut(name, ":")
	return authority, code
}

// splitVersioned reads an authority, a register version and a code. The version may be empty or
// missing, and the WMTS standard has one of two parts.
func splitVersioned(rest, separator string) (authority, code string, defined bool) {
	parts := strings.Split(rest, separator)
	if len(parts) < 2 || len(parts) > 4 {
		return "", "", false
	}
	return parts[0], parts[len(parts)-1], true
}

// splitAddress reads the part of an address after the scheme.
func splitAddress(rest string) (authority, code string, defined bool) {
	host, path, _ := strings.Cut(rest, "/")
	if host != "WWW.OPENGIS.NET" && host != "OPENGIS.NET" {
		return "", "", false
	}
	if code, ok := strings.CutPrefix(path, "GML/SRS/EPSG.XML#"); ok { // of GML 2, which always orders x before y
		return "EPSG", code, false
	}
	path, ok := strings.CutPrefix(path, "DEF/CRS/")
	if !ok {
		return "", "", false
	}
	return splitVersioned(path, "/")
}
