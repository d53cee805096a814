package s3

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"tileserver/source/bucket"
	"tileserver/source/credential"
)

// FromEnvironment returns the configuration with what variables say that the SDK of AWS does not read. They
// are those of GDAL and of the command line of AWS.
func FromEnvironment(c Config) Config {
	c.Anonymous = c.Anonymous || bucket.IsYes(os.Getenv("AWS_NO_SIGN_REQUEST"))
	c.RequesterPays = c.RequesterPays || os.Getenv("AWS_REQUEST_PAYER") == "requester"
	if virtual := os.Getenv("AWS_VIRTUAL_HOSTING"); c.Style == Automatic && virtual != "" {
		c.Style = PathStyle
		if bucket.IsYes(virtual) {
			c.Style = VirtualHosts
		}
	}
	return c
}

// load reads what the environment and the files of AWS say. It asks no server.
func (c *Config) load(ctx context.Context) (aws.Config, error) {
	options := []func(*config.LoadOptions) error{config.WithDefaultRegion(defaultRegion)}
	if c.Profile != "" {
		options = append(options, config.WithSharedConfigProfile(c.Profile))
	}
	if c.Region != "" {
		options = append(options, config.WithRegion(c.Region))
	}
	loaded, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return aws.Config{}, fmt.Errorf("configuration of AWS: %w", err)
	}
	if c.RoleARN != "" {
		loaded.Credentials = stscreds.NewAssumeRoleProvider(sts.NewFromConfig(loaded), c.RoleARN, func(o *stscreds.AssumeRoleOptions) {
			if c.ExternalID != "" {
				o.ExternalID = &c.ExternalID
			}
		})
	}
	return loaded, nil
}

// findPlace returns where buckets are, by the configuration, the environment and the profile.
func (c *Config) findPlace(ctx context.Context) (*place, error) {
	loaded, err := c.load(ctx)
	if err != nil {
		return nil, err
	}
	endpoint, err := endpointOf(ctx, &loaded)
	if err != nil {
		return nil, err
	}
	return newPlace(cmp.Or(c.Endpoint, endpoint), loaded.Region, c.Style)
}

// endpointOf returns the endpoint for S3 in the environment or the profile, or "".
func endpointOf(ctx context.Context, loaded *aws.Config) (string, error) {
	if ignore, _, err := config.GetIgnoreConfiguredEndpoints(ctx, loaded.ConfigSources); ignore || err != nil {
		return "", err
	}
	for _, from := range loaded.ConfigSources {
		known, isKnown := from.(interface {
			GetServiceBaseEndpoint(ctx context.Context, sdkID string) (string, bool, error)
		})
		if !isKnown {
			continue
		}
		if endpoint, isThere, err := known.GetServiceBaseEndpoint(ctx, "S3"); isThere || err != nil {
			return endpoint, err
		}
	}
	return aws.ToString(loaded.BaseEndpoint), nil
}

// keys are credentials.
type keys struct{ id, secret, session string }

// fetchKeys returns what fetches credentials from where they are now. It reads files again each time, since
// tools write new credentials to them.
func fetchKeys(load func(context.Context) (aws.Config, error)) credential.Fetch[keys] {
	return func(ctx context.Context) (own keys, expires time.Time, err error) {
		loaded, err := load(ctx)
		if err != nil {
			return keys{}, time.Time{}, err
		}
		issued, err := loaded.Credentials.Retrieve(ctx)
		if err != nil {
			return keys{}, time.Time{}, fmt.Errorf("no credentials of AWS (for public buckets, set AWS_NO_SIGN_REQUEST=YES): %w", err)
		}
		if issued.CanExpire {
			expires = issued.Expires
		}
		return keys{issued.AccessKeyID, issued.SecretAccessKey, issued.SessionToken}, expires, nil
	}
}
