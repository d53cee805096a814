package config

// remoteSettings returns the keys of an entry of "remote".
func remoteSettings() []Setting {
	return []Setting{
		{Key: "prefix", Value: "ADDRESS", Example: "s3://imagery",
			Help: "What the entry holds for: a scheme such as `s3://`, a bucket, a host, or a folder there, with all below it; the longest prefix counts. Required"},
		{Key: "endpoint", Value: "URL", Default: "that of the cloud", Example: "https://minio.example.org:9000",
			Help: "Server with the interface of S3, Google or Azure: R2, Ceph, MinIO and others"},
		{Key: "region", Value: "NAME", Default: "from the environment, or from the bucket", Example: "eu-central-1", Help: "Region of S3"},
		{Key: "path_style", Value: "true|false", Default: "`true` with an endpoint", Example: "true",
			Help: "Whether the bucket of S3 is in the path of a URL, not in the host"},
		{Key: "anonymous", Value: "true|false", Default: "`false`", Example: "true", Help: "Do not sign requests, for public buckets"},
		{Key: "requester_pays", Value: "true|false", Default: "`false`", Example: "true", Help: "Pay for requests, in buckets of S3 that demand it"},
		{Key: "profile", Value: "NAME", Default: "AWS_PROFILE, or `default`", Example: "imagery", Help: "Profile of AWS in `~/.aws/config` and `~/.aws/credentials`"},
		{Key: "role", Value: "ARN", Example: "arn:aws:iam::123456789012:role/reader", Help: "Role of AWS to assume"},
		{Key: "external_id", Value: "text", Example: "tiles", Help: "External id that the role demands"},
		{Key: "account", Value: "NAME", Default: "AZURE_STORAGE_ACCOUNT", Example: "imagery", Help: "Storage account of Azure"},
		{Key: "project", Value: "NAME", Default: "GS_USER_PROJECT", Example: "imagery", Help: "Project of Google that pays for requests, in buckets that demand it"},
		{Key: "headers", Value: "keys", Example: "{Authorization: {env: IMAGERY_TOKEN}, X-User: maps}",
			Help: "Headers of requests to a web server; a value is text, or comes from the environment (`{env: VARIABLE}`) or a file (`{file: PATH}`), which is read again when it changes"},
		{Key: "side_files", Value: "true|false", Default: "`false`", Example: "true",
			Help: "Look for .aux.xml, .ovr, .msk and world files beside objects whose folder is not listed, a request for each name; in folders that are served, lists tell of them"},
		{Key: "recheck", Value: "DURATION", Default: "`1m`", Example: "10m",
			Help: "How long an object counts as current before it is asked for again"},
	}
}

const aboutRemoteKeys = "Files may lie on web servers (`https://`, `http://`) and in buckets of S3 (`s3://`), Google (`gs://`) and Azure (`az://`).\n" +
	"An entry of `remote` is needed only where the environment does not say enough. See [remote files](remote-files.md)."
