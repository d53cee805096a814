package serve

import (
	"io"
	"net/http"

	"tileserver/http/answer"
)

// MaxDocumentBytes bounds documents that list layers, since clients parse them as a whole.
const MaxDocumentBytes = 500_000

// Documents of all layers grow with the number of layers, in size and in time to write. So each is
// written once for all requests and cached as gzip: a megabyte for some thousand layers instead of
// ten or twenty.

// SendCachedDocument answers with a document of all layers, which clients must revalidate. The key
// must contain everything that the document depends on, except for the configuration. Its base URL is
// that of ForAllLayers.
func (s *Server) SendCachedDocument(e *answer.Exchange, r *http.Request, mime, key string, write func(io.Writer) error) error {
	packed, err := s.Documents.Fetch(r.Context(), s.digest+key, func() ([]byte, error) { return answer.Pack(write) })
	if err != nil {
		return err
	}
	return e.SendPacked(r, mime, packed.Bytes, answer.ETag(packed.Key))
}
