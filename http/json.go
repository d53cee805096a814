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

// marshal writes templates of addresses as they are: no answer is put into HTML.
// The values are of this package, and all of them can be written.
func marshal(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// sendJSON answers with a document.
func (e *exchange) sendJSON(r *http.Request, v any) { e.sendDocument(r, mimeJSON, marshal(v)) }

// digest is a validator of bytes.
func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// etagAs is the validator of what etag is that of, under a media type: one address may answer
// with the same bytes under another.
func etagAs(mime, etag string) string { return digest([]byte(mime + "\n" + etag)) }

// number is a float64 for which JSON has a word where it is not finite.
type number float64

// MarshalJSON writes what is no number as Python and GDAL spell it.
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
