# Starts nginx on the loopback interface, for tests and benchmarks; it ends with the script. Sourced, not run.
# shellcheck shell=bash

source "${BASH_SOURCE[0]%/*}/ports.sh"

# Serves a folder, also as the bucket "bucket" of an S3 server that checks no signatures, and sets nginx_port; or sets
# problem and fails. With a certificate and its key also by TLS, on nginx_secure_port, in HTTP/1.1 and 2. With
# nginx_failing=1% the server is too busy for so many requests, by chance.
start_nginx() { # folder [certificate key]
    problem="needs nginx: apt-get install nginx-light"
    local nginx
    nginx="$(PATH="$PATH:/usr/sbin" command -v nginx)" || return 1
    nginx_folder="$(mktemp -d)"
    chmod 755 "$nginx_folder"
    nginx_port="$(free_port)"
    nginx_secure_port="$(free_port)"
    {
        [ "$(id -u)" != 0 ] || echo "user root;" # The arrays are in this user's home.
        cat << CONFIGURATION
daemon off;
pid $nginx_folder/pid;
worker_processes 1;
error_log $nginx_folder/error.log;
worker_rlimit_nofile 16384;
events { worker_connections 8192; }
http {
    access_log off;
    sendfile on;
    tcp_nodelay on;
    keepalive_requests ${nginx_requests_per_connection:-1000000};
    client_body_temp_path $nginx_folder/a;
    proxy_temp_path $nginx_folder/b;
    fastcgi_temp_path $nginx_folder/c;
    uwsgi_temp_path $nginx_folder/d;
    scgi_temp_path $nginx_folder/e;
    ${nginx_failing:+split_clients \$request_id \$busy { $nginx_failing 1; * 0; \}}
    server {
        listen 127.0.0.1:$nginx_port;
        root $1;
        location /bucket/ { alias $1/; }
        ${nginx_failing:+if (\$busy) { return 503; \}}
    }
CONFIGURATION
        [ $# = 1 ] || cat << CONFIGURATION
    server {
        listen 127.0.0.1:$nginx_secure_port ssl http2;
        ssl_certificate $2;
        ssl_certificate_key $3;
        root $1;
    }
CONFIGURATION
        echo "}"
    } > "$nginx_folder/nginx.conf"
    "$nginx" -e "$nginx_folder/error.log" -c "$nginx_folder/nginx.conf" &
    nginx_process=$!
    trap stop_nginx EXIT
    problem="nginx does not start: $nginx_folder/error.log"
    await_port "$nginx_port" "$nginx_process"
}

stop_nginx() {
    kill "$nginx_process" 2> /dev/null || true
    wait "$nginx_process" 2> /dev/null || true
    rm -rf "$nginx_folder"
}
