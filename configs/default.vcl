# Varnish in front of replicas, under a path: a cache in memory.
#
#   varnishd -a :80 -f /etc/varnish/default.vcl -s malloc,8G
#
# How long a picture is kept is up to the server, which says so with each of them; errors
# and documents (whose links depend on who asks) are never kept here.
# The admin port of the server has no place in this file: it hides nothing.
vcl 4.1;

import directors;

# A backend for each replica: the same files and the same configuration give the same bytes
# and the same ETags. All of them are added in vcl_init.
backend one {
    .host = "127.0.0.1";
    .port = "8080";
    .connect_timeout = 2s;
    .first_byte_timeout = 75s; # longer than request_timeout of the server
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

# Who speaks TLS with clients, in front of Varnish. All others may not say what links
# begin with.
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

    # Browsers say "image/webp" in many ways; where the address leaves the format open (.auto,
    # or a tile without an extension), one picture is enough for all who take it.
    if (req.url ~ "^[^?]*\.auto(\?|$)" || req.url ~ "^/tiles/[^?]*/[0-9]+(@2x)?(\?|$)") {
        if (req.http.Accept ~ "image/webp" && req.http.Accept !~ "image/webp\s*;\s*q=0(\.0*)?\s*(,|;|$)") {
            set req.http.Accept = "image/webp";
        } else {
            unset req.http.Accept;
        }
    }
}

sub vcl_hash {
    # The same server under another path has other links. The built-in hash adds the
    # address and the host.
    hash_data(req.http.X-Forwarded-Prefix);
}

sub vcl_backend_fetch {
    # Tiles whose columns and rows differ in the last digit only, and all styles of them, are
    # made of much the same blocks of the file. One replica makes them, which then has those
    # blocks in memory; what is no tile goes by its address.
    set bereq.backend = replicas.backend(by=KEY, alt=bereq.retries, key=replicas.key(
        regsub(bereq.url, "^([^?]*/[0-9]+/[0-9]*)[0-9]/([0-9]*)[0-9](@2x)?(\.[a-z]+)?(\?.*)?$", "\1/\2")));
}

sub vcl_backend_error {
    # Another replica where one cannot be reached or breaks off. A 503, by which one with too
    # much to do says "later" in Retry-After, is an answer, and goes to the client: the others
    # would get all of it.
    if (bereq.retries == 0) {
        return (retry);
    }
}

sub vcl_backend_response {
    # A failed renewal must not take the place of a picture that may still be shown.
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
    # stale-while-revalidate of the server says for how long that is (beresp.grace). After
    # it, a picture is kept for its ETag: a 304 costs the server microseconds.
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
