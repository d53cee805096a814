package azure

import (
	"errors"
	"net/url"
	"regexp"
	"strings"

	"tileserver/source/bucket"
)

const scheme = "az"

// address is where a blob or a folder lies.
type address struct {
	host            string // of another account; "": that of the configuration
	container, blob string
}

// split splits an address. The blob is written as it is, not escaped. Others write accounts as
// az://CONTAINER@HOST/BLOB, and name the hosts of file systems, which are the same accounts.
func (own *account) split(path string) (a address, err error) {
	parts, err := bucket.Split(scheme, path)
	if err != nil {
		return a, err
	}
	switch container, host, isOfOthers := strings.Cut(parts.Bucket, "@"); {
	case isOfOthers:
		a = address{host, container, parts.Key}
	case strings.Contains(parts.Bucket, "."):
		a.host = parts.Bucket
		a.container, a.blob, _ = strings.Cut(parts.Key, "/")
	default:
		return address{"", parts.Bucket, parts.Key}, checkContainer(parts.Bucket)
	}
	a.host = strings.Replace(strings.ToLower(a.host), ".dfs.", ".blob.", 1)
	if !blobHost.MatchString(a.host) {
		return a, errors.New("the address names a host that is none of Azure, such as ACCOUNT.blob.core.windows.net")
	}
	if own.base != nil && own.base.Host == a.host && own.base.Path == "" {
		a.host = ""
	}
	return a, checkContainer(a.container)
}

// path returns the address as text.
func (a address) path() string {
	if a.host == "" {
		return bucket.Address{Bucket: a.container, Key: a.blob}.Path(scheme)
	}
	return bucket.Address{Bucket: a.host, Key: strings.TrimRight(a.container+"/"+a.blob, "/")}.Path(scheme)
}

// blobHost matches the hosts of accounts in all clouds of Azure.
var blobHost = regexp.MustCompile(`^[a-z0-9]{3,24}(-secondary)?(\.z[0-9]{1,2})?\.blob\.(core\.windows\.net|core\.chinacloudapi\.cn|core\.usgovcloudapi\.net|storage\.azure\.net)$`)

// isAzure reports whether a URL leads to an account of Azure. A token is worth nothing elsewhere.
func isAzure(u *url.URL) bool { return u.Scheme == "https" && blobHost.MatchString(u.Host) }

var containerName = regexp.MustCompile(`^(\$root|\$web|\$logs|[a-z0-9](-?[a-z0-9])+)$`)

// checkContainer returns an error if a container cannot have a name.
func checkContainer(name string) error {
	if len(name) < 3 || len(name) > 63 || !containerName.MatchString(name) {
		return errors.New("the address has no valid name of a container")
	}
	return nil
}
