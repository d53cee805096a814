package http

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"net/http"
)

const mimeJSON = "application/json"

// marshal encodes v without escaping HTML, so that templates of addresses stay readable. It panics
// on errors: all types come from this package and can be encoded.
func marshal(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// sendJSON answers with v as a JSON document.
func (e *exchange) sendJSON(r *http.Request, v any) { e.sendDocument(r, mimeJSON, marshal(v)) }

// digest returns an ETag of body.
func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// etagAs returns the ETag of a body under a media type. etag is that of the body: one address may
// serve the same bytes under several types.
func etagAs(mime, etag string) string { return digest([]byte(mime + "\n" + etag)) }

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
