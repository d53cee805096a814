package answer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
)

// The media types of documents.
const (
	MIMEJSON = "application/json"
	MIMEXML  = "application/xml"
)

// Marshal encodes v without escaping HTML, so that templates of addresses stay readable. It panics
// on errors: all types of documents can be encoded.
func Marshal(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// SendJSON answers with v as a JSON document.
func (e *Exchange) SendJSON(r *http.Request, v any) { e.SendDocument(r, MIMEJSON, Marshal(v)) }

// ETagOf returns an ETag of body.
func ETagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return ETag(hex.EncodeToString(sum[:12]))
}

// ETag returns the ETag of a content with a key.
func ETag(key string) string { return `"` + key + `"` }

// etagAs returns the ETag of a body under a media type. etag is that of the body: one address may
// serve the same bytes under several types.
func etagAs(mime, etag string) string { return ETagOf([]byte(mime + "\n" + etag)) }
