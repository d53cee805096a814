package http

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"tileserver/access"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/signature"
)

// verifySignatures marks requests for signed addresses, and rejects those whose signature is refused.
// Nobody may keep the answers for longer than the signature is valid. Without keys, signatures mean
// nothing.
func verifySignatures(keys signature.Keys) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if len(keys) == 0 {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.URL.RawQuery, signature.Name) {
				next.ServeHTTP(w, r)
				return
			}
			e := answer.ExchangeOf(w)
			query, err := request.Query(r)
			if err == nil && signature.IsSigned(query) {
				if e.CacheUntil, err = keys.Verify(r.URL.Path, query, time.Now()); err == nil {
					r = request.WithAsker(r, access.Signed)
				}
			}
			if err != nil {
				e.Fail(r, signatureFailure(err))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// signatureFailure returns the failure of a request whose signature is refused.
func signatureFailure(err error) error {
	var refused *signature.Error
	if !errors.As(err, &refused) {
		return err
	}
	return &answer.Failure{Status: http.StatusForbidden, Code: "signature_" + string(refused.Reason), Message: "not allowed: " + refused.Error()}
}
