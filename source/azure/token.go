package azure

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"tileserver/source/bucket"
)

// scope is that of all accounts, in all clouds.
const scope = "https://storage.azure.com/.default"

// fetchToken fetches a token with the identity that the environment, the machine or a login has now.
func fetchToken(ctx context.Context) (token string, expires time.Time, err error) {
	identity, err := azidentity.NewDefaultAzureCredential(nil)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("no identity for Azure: %w", err)
	}
	issued, err := identity.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{scope}})
	if err != nil {
		return "", time.Time{}, fmt.Errorf("no token of Azure (for public containers, set AZURE_NO_SIGN_REQUEST=YES): %w", err)
	}
	return issued.Token, issued.ExpiresOn, nil
}

// FromEnvironment returns the configuration with what variables say. They are those of Azure's command line and
// of GDAL. Those about another account than that of the configuration do not count.
func FromEnvironment(c Config) Config {
	c.Anonymous = c.Anonymous || bucket.IsYes(os.Getenv("AZURE_NO_SIGN_REQUEST"))
	account, connection := os.Getenv("AZURE_STORAGE_ACCOUNT"), os.Getenv("AZURE_STORAGE_CONNECTION_STRING")
	switch {
	case c.Connection != "" || c.Key != "" || c.SAS != "" || c.Endpoint != "":
	case c.Account == "" && connection != "":
		c.Connection = connection
	case c.Account == "" || c.Account == account:
		c.Account = account
		c.Key = cmp.Or(os.Getenv("AZURE_STORAGE_KEY"), os.Getenv("AZURE_STORAGE_ACCESS_KEY"))
		c.SAS = os.Getenv("AZURE_STORAGE_SAS_TOKEN")
	}
	return c
}
