package s3

import (
	"context"
	"maps"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

const (
	payerHeader = "X-Amz-Request-Payer"
	hashHeader  = "X-Amz-Content-Sha256"
	unsigned    = "UNSIGNED-PAYLOAD"
)

// sign signs a request. Of its headers it signs the host and those of S3 only, so that ranges and conditions
// may change afterwards, by a proxy for example.
func (s *Service) sign(ctx context.Context, r *http.Request, own keys, region string) error {
	place := *r.URL // the signer rewrites its query
	signed := &http.Request{Method: r.Method, URL: &place, Host: r.Host, Header: make(http.Header)}
	signed.Header.Set(hashHeader, unsigned)
	if payer := r.Header.Get(payerHeader); payer != "" {
		signed.Header.Set(payerHeader, payer)
	}
	credentials := aws.Credentials{AccessKeyID: own.id, SecretAccessKey: own.secret, SessionToken: own.session}
	err := s.signer.SignHTTP(ctx, credentials, signed, unsigned, "s3", region, s.clock.Now(), func(o *v4.SignerOptions) {
		o.DisableURIPathEscaping = true // it is escaped already
	})
	maps.Copy(r.Header, signed.Header)
	return err
}
