package s3

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"tileserver/source/bucket"
)

// place is where buckets are.
type place struct {
	endpoint *url.URL // nil: AWS
	region   string   // of buckets whose region is not known
	style    Style    // PathStyle or VirtualHosts
}

// defaultRegion is the region of a service that has none, and the first to ask at AWS.
const defaultRegion = "us-east-1"

// newPlace returns the place of an endpoint; "" is AWS.
func newPlace(endpoint, region string, style Style) (*place, error) {
	p := &place{region: region, style: style}
	if err := checkRegion(region); err != nil {
		return nil, err
	}
	if endpoint != "" {
		var err error
		if p.endpoint, err = bucket.ParseEndpoint(endpoint); err != nil {
			return nil, err
		}
	}
	switch {
	case style == Automatic && endpoint == "":
		p.style = VirtualHosts
	case style == Automatic:
		p.style = PathStyle
	}
	return p, nil
}

// base returns the URL that the buckets of a region have in common.
func (p *place) base(region string) *url.URL {
	if p.endpoint != nil {
		return p.endpoint
	}
	return &url.URL{Scheme: "https", Host: "s3." + region + "." + domainOf(region)}
}

// hostName matches the names of buckets that may be a part of a host. One with dots has no certificate.
var hostName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$`)

// bucketURL returns the URL of a bucket in a region.
func (p *place) bucketURL(name, region string) *url.URL {
	base := p.base(region)
	if p.style == PathStyle || !hostName.MatchString(name) {
		return bucket.Below(base, name)
	}
	own := *base
	own.Host = name + "." + base.Host
	return &own
}

// awsHost matches hosts of AWS: the bucket if it is in there, the region, the domain.
var awsHost = regexp.MustCompile(`^(?:([a-z0-9][a-z0-9-]{1,61}[a-z0-9])\.)?s3\.([a-z0-9-]+)\.([a-z.]+)$`)

// bucketOf returns the bucket that a URL leads to, and whether it leads to one of this place.
func (p *place) bucketOf(u *url.URL) (name string, isOurs bool) {
	root := "/"
	if p.endpoint != nil {
		root = p.endpoint.Path + "/"
		name, isOurs = bucketBefore(u.Host, p.endpoint.Host)
		isOurs = isOurs && u.Scheme == p.endpoint.Scheme
	} else if parts := awsHost.FindStringSubmatch(u.Host); parts != nil {
		name, isOurs = parts[1], u.Scheme == "https" && parts[3] == domainOf(parts[2])
	}
	rest, isBelow := strings.CutPrefix(u.Path, root)
	if name == "" {
		name, _, _ = strings.Cut(rest, "/")
		isOurs = isOurs && isBelow
	}
	return name, isOurs && bucket.CheckName(name) == nil
}

// bucketBefore returns the bucket in a host that is that of an endpoint, or "" if the bucket is elsewhere.
func bucketBefore(host, endpoint string) (name string, isOurs bool) {
	if host == endpoint {
		return "", true
	}
	name, isOurs = strings.CutSuffix(host, "."+endpoint)
	return name, isOurs && hostName.MatchString(name)
}

// move moves a request to the server of a region. Other services than AWS have one server.
func (p *place) move(r *http.Request, name, region string) {
	if p.endpoint != nil {
		return
	}
	moved := *r.URL
	moved.Host = p.base(region).Host
	if strings.HasPrefix(r.URL.Host, name+".") {
		moved.Host = name + "." + moved.Host
	}
	r.URL, r.Host = &moved, moved.Host
}

// domainOf returns the domain of the servers of a region of AWS.
func domainOf(region string) string {
	for _, partition := range []struct{ start, domain string }{
		{"cn-", "amazonaws.com.cn"}, {"eusc-", "amazonaws.eu"}, {"us-iso-", "c2s.ic.gov"}, {"us-isob-", "sc2s.sgov.gov"},
		{"us-isof-", "csp.hci.ic.gov"}, {"eu-isoe-", "cloud.adc-e.uk"},
	} {
		if strings.HasPrefix(region, partition.start) {
			return partition.domain
		}
	}
	return "amazonaws.com"
}

var regionName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)

// checkRegion returns an error if a region cannot be a part of a host. A server may have told of it.
func checkRegion(region string) error {
	if !regionName.MatchString(region) {
		return errors.New("the region must have letters, digits and hyphens only, such as eu-central-1")
	}
	return nil
}
