package azure

import (
	"cmp"
	"errors"
	"strings"
)

// connected returns the configuration with what its connection string says.
func (c Config) connected() (Config, error) {
	if c.Connection == "" {
		return c, nil
	}
	said, err := parseConnection(c.Connection)
	if err != nil {
		return c, err
	}
	c.Account, c.Endpoint = cmp.Or(c.Account, said.Account), cmp.Or(c.Endpoint, said.Endpoint)
	c.Key, c.SAS = cmp.Or(c.Key, said.Key), cmp.Or(c.SAS, said.SAS)
	return c, nil
}

// parseConnection parses a connection string: NAME=VALUE;NAME=VALUE. No error has its text, which has secrets.
func parseConnection(text string) (c Config, err error) {
	protocol, suffix := "https", "core.windows.net"
	for part := range strings.SplitSeq(text, ";") {
		name, value, hasValue := strings.Cut(strings.TrimSpace(part), "=")
		switch strings.ToLower(name) {
		case "accountname":
			c.Account = value
		case "accountkey":
			c.Key = value
		case "sharedaccesssignature":
			c.SAS = value
		case "blobendpoint":
			c.Endpoint = value
		case "defaultendpointsprotocol":
			protocol = value
		case "endpointsuffix":
			suffix = value
		case "usedevelopmentstorage":
			return c, errors.New("UseDevelopmentStorage is not supported in a connection string: write AccountName, AccountKey and BlobEndpoint")
		default:
			if !hasValue && name != "" {
				return c, errors.New("the connection string must be NAME=VALUE;NAME=VALUE")
			}
		}
	}
	if c.Endpoint == "" && c.Account != "" {
		c.Endpoint = protocol + "://" + c.Account + ".blob." + suffix
	}
	return c, nil
}
