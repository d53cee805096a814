package api

import (
	"encoding/json"
	"math"
)

// number is a float64 that encodes non-finite values as strings.
type number float64

// MarshalJSON spells non-finite values as Python and GDAL do.
func (n number) MarshalJSON() ([]byte, error) {
	switch v := float64(n); {
	case math.IsNaN(v):
		return []byte(`"nan"`), nil
	case math.IsInf(v, 1):
		return []byte(`"inf"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-inf"`), nil
	default:
		return json.Marshal(v)
	}
}
