package geo

import (
	"fmt"
	"strconv"
	"strings"
)

// maxCRSName is longer than any name that is one.
const maxCRSName = 200

// ParseCRSName finds a system by its name as clients write it: "EPSG:3857", "[EPSG:3857]", a URN of the OGC, an address
// below opengis.net/def/crs, and CRS84 in all its forms. northingFirst tells in which order coordinates follow that were
// written for that name: names in full, and those in brackets, which are short for them, stand for the registry's
// definition with its order of axes, "EPSG:4326" alone is what people call longitude before latitude.
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

// splitCRSName takes a name apart. defined tells that it stands for a definition in a register.
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

// splitShort reads an authority and a code, between which clients leave the version of CRS84 that is in its URN.
func splitShort(name string) (authority, code string) {
	if strings.HasPrefix(name, "OGC:") {
		authority, code, _ = splitVersioned(name, ":")
		return authority, code
	}
	authority, code, _ = strings.Cut(name, ":")
	return authority, code
}

// splitVersioned reads an authority, a version of its register, and a code. The version may be empty or missing, and the
// standard of WMTS has one of two parts.
func splitVersioned(rest, separator string) (authority, code string, defined bool) {
	parts := strings.Split(rest, separator)
	if len(parts) < 2 || len(parts) > 4 {
		return "", "", false
	}
	return parts[0], parts[len(parts)-1], true
}

// splitAddress reads what follows the scheme of an address.
func splitAddress(rest string) (authority, code string, defined bool) {
	host, path, _ := strings.Cut(rest, "/")
	if host != "WWW.OPENGIS.NET" && host != "OPENGIS.NET" {
		return "", "", false
	}
	if code, ok := strings.CutPrefix(path, "GML/SRS/EPSG.XML#"); ok { // of GML 2, which knew no other order than x and y
		return "EPSG", code, false
	}
	path, ok := strings.CutPrefix(path, "DEF/CRS/")
	if !ok {
		return "", "", false
	}
	return splitVersioned(path, "/")
}
