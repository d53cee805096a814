package remote

import (
	"fmt"
	"strings"
	"testing"

	"tileserver/source/azure"
)

// A prefix of a container of Azure is served as a folder on disk is.
func TestAPrefixOfAContainerOfAzureIsServedAsAFolderOnDisk(t *testing.T) {
	tileserver(t)
	folder := folderOfFiles(t)
	own := startAzure(t)
	s, err := azure.New(own)
	if err != nil {
		t.Fatal(err)
	}
	putBlob(t, s, own.Endpoint+"/tiles?restype=container", nil)
	for name, data := range filesBelow(t, folder) {
		u, err := s.Locate("az://tiles/imagery/all/" + name)
		if err != nil {
			t.Fatal(err)
		}
		putBlob(t, s, u.String(), data)
	}
	between := newProxy(t, strings.TrimSuffix(own.Endpoint, "/"+own.Account))
	connection := fmt.Sprintf("AccountName=%s;AccountKey=%s;BlobEndpoint=%s/%s", own.Account, own.Key, between.URL, own.Account)
	compareFolders(t, folder, "remote: [{prefix: 'az://tiles', recheck: 1h}]\npaths: ['az://tiles/imagery/all/']\nrescan: 0\n", between,
		"AZURE_STORAGE_CONNECTION_STRING="+connection, "AZURE_STORAGE_ACCOUNT=", "AZURE_STORAGE_KEY=", "AZURE_STORAGE_SAS_TOKEN=", "AZURE_NO_SIGN_REQUEST=")
}
