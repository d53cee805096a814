# Varnish in front of replicas, under a path: a cache in memory.
#
#   varnishd -a :80 -f /etc/varnish/default.vcl -s malloc,8G
#
# The server's headers decide how long a picture is cached. Errors are not cached here, nor are
# documents, whose links depend on the request.
# Do not proxy the server's admin port: it is not protected.
vcl 4.1;

import directors;

# One backend per replica; vcl_init adds each. Equal files and configurations give equal bytes
# and ETags.
backend one {
    .host = "127.0.0.1";
    .port = "8080";
    .connect_timeout = 2s;
    .first_byte_timeout = 75s; # longer than the server's request_timeout
    .probe = { .url = "/"; .interval = 2s; .timeout = 1s; .initial = 3; }
}

backend two {
    .host = "127.0.0.1";
    .port = "8090";
    .connect_timeout = 2s;
    .first_byte_timeout = 75s;
    .probe = { .url = "/"; .interval = 2s; .timeout = 1s; .initial = 3; }
}

sub vcl_init {
    new replicas = directors.shard();
    replicas.add_backend(one);
    replicas.add_backend(two);
    replicas.reconfigure();
}

# The TLS terminators in front of Varnish. X-Forwarded-Proto of other clients is ignored.
acl terminators {
    "localhost";
}

sub vcl_recv {
    if (req.url == "/imagery") {
        return (synth(308, "/imagery/"));
    }
    if (req.url !~ "^/imagery/") {
        return (synth(404));
    }
    set req.url = regsub(req.url, "^/imagery", "");
    set req.http.X-Forwarded-Prefix = "/imagery";
    set req.http.X-Forwarded-Host = req.http.Host;
    if (client.ip !~ terminators || !req.http.X-Forwarded-Proto) {
        set req.http.X-Forwarded-Proto = "http";
    }

    # Normalize Accept where the address leaves the format open (.auto, or a tile without an
    # extension). All clients that accept WebP then share one cached picture.
    if (req.url ~ "^[^?]*\.auto(\?|$)" || req.url ~ "^/tiles/[^?]*/[0-9]+(@2x)?(\?|$)") {
        if (req.http.Accept ~ "image/webp" && req.http.Accept !~ "image/webp\s*;\s*q=0(\.0*)?\s*(,|;|$)") {
            set req.http.Accept = "image/webp";
        } else {
            unset req.http.Accept;
        }
    }
}

sub vcl_hash {
    # Links depend on the path under which the server is seen. The built-in hash adds the
    # address and the host.
    hash_data(req.http.X-Forwarded-Prefix);
}

sub vcl_backend_fetch {
    # Tiles whose columns and rows differ in the last digit only need mostly the same blocks of
    # the file, in every style. They go to one replica, which then has those blocks in memory.
    # Other requests are distributed by address.
    set bereq.backend = replicas.backend(by=KEY, alt=bereq.retries, key=replicas.key(
        regsub(bereq.url, "^([^?]*/[0-9]+/[0-9]*)[0-9]/([0-9]*)[0-9](@2x)?(\.[a-z]+)?(\?.*)?$", "\1/\2")));
}

sub vcl_backend_error {
    # Try another replica if one is unreachable or drops the connection. A 503 of a busy replica
    # is an answer and goes to the client with its Retry-After: retrying would overload the
    # other replicas.
    if (bereq.retries == 0) {
        return (retry);
    }
}

sub vcl_backend_response {
    # A failed background fetch must not replace a stale picture that may still be used.
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
    # The server's stale-while-revalidate sets that time (beresp.grace). After it, a picture
    # stays cached for revalidation by ETag: a 304 costs the server microseconds.
    if (beresp.http.ETag) {
        set beresp.keep = 7d;
    }
}

sub vcl_deliver {
    if (obj.hits > 0) {
        set resp.http.X-Cache-Status = "HIT";
    } else {
        set resp.http.X-Cache-Status = "MISS";
    }
}

sub vcl_synth {
    if (resp.status == 308) {
        set resp.http.Location = resp.reason;
        set resp.reason = "Permanent Redirect";
        return (deliver);
    }
}
