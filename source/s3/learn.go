package s3

import (
	"cmp"
	"context"
	"net/http"

	"tileserver/source/bucket"
	"tileserver/source/web"
)

// regionHeader says in which region a bucket is, also in answers that refuse a request.
const regionHeader = "X-Amz-Bucket-Region"

// Learn learns the region of a bucket and the time of the service, and renews credentials that have expired.
func (s *Service) Learn(ctx context.Context, refused web.Refusal) (again bool) {
	where, err := s.where(ctx)
	if err != nil {
		return false
	}
	name, isOurs := where.bucketOf(refused.URL)
	if !isOurs {
		return false
	}
	said := bucket.ReadRefused(refused.Body)
	region := cmp.Or(refused.Header.Get(regionHeader), said.Region)
	hasMoved := s.learnRegion(name, region, where.region)
	isElsewhere := checkRegion(region) == nil && isRedirect(refused.Status, said.Code)
	isRenewed := isExpired(said.Code) && !s.config.Anonymous && s.credentials.Renew(ctx)
	isLater := said.Code == "RequestTimeTooSkewed" && s.clock.Learn(refused.Header)
	return hasMoved || isElsewhere || isRenewed || isLater
}

// learnRegion remembers the region of a bucket, and reports whether it was taken to be in another one.
func (s *Service) learnRegion(name, region, otherwise string) (isNew bool) {
	if checkRegion(region) != nil || region == s.regions.of(name, otherwise) {
		return false
	}
	s.regions.learn(name, region)
	return true
}

// isRedirect reports whether a request went to the wrong region. It may have been sent before another one
// learned the right one.
func isRedirect(status int, code string) bool {
	return status == http.StatusMovedPermanently || status == http.StatusTemporaryRedirect || code == "AuthorizationHeaderMalformed"
}

// isExpired reports whether a refusal may be one of credentials that were valid before.
func isExpired(code string) bool {
	switch code {
	case "ExpiredToken", "ExpiredTokenException", "InvalidToken", "TokenRefreshRequired", "RequestExpired", "InvalidAccessKeyId":
		return true
	}
	return false
}
