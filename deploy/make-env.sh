#!/usr/bin/env bash
# Writes .env and deploy/local/ with fresh secrets for docker-compose.yml. Existing files are kept.
# 生成 docker-compose.yml 所需的 .env 与 deploy/local/（全新密钥）；已有的文件不会被覆盖。
set -euo pipefail
cd "$(dirname "$0")/.."
umask 077
hex() { head -c "$1" /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
b64() { head -c "$1" /dev/urandom | base64 | tr -d '\n'; }

if [ -e .env ] || [ -e deploy/local/bootstrap.json ]; then
  echo "kept: .env and deploy/local/ are there already"; exit 0
fi
mkdir -p deploy/local
secret=$(hex 32)
body="pk_dev_$(hex 6)_$secret"
# CRC-32 as gzip computes it: the eight bytes at its end begin with it, lowest byte first.
crc=$(printf '%s' "$body" | gzip -c | tail -c 8 | head -c 4 | od -An -v -tx1 | awk '{print $4 $3 $2 $1}')
token="${body}_$crc"
callback_secret="whsec_$(b64 32)"
cat >.env <<ENV
POSTGRES_PASSWORD=$(hex 16)
POSTONCE_DB_PASSWORD=$(hex 16)
POSTONCE_KEY_PEPPER=$(hex 32)
POSTONCE_SECRETS_KEY=$(b64 32)
SANDBOX_WORDPRESS_PASSWORD=$(hex 12)
SANDBOX_WEBHOOK_SECRET=whsec_$(b64 32)
CALLBACK_SECRET=$callback_secret
ENV
cat >deploy/local/bootstrap.json <<JSON
{"tenants": [{"tenant_id": "dev", "name": "Development", "environment": "dev",
  "keys": [{"client_id": "dev-cli", "scopes": ["submit", "read", "ops"], "token": "$token"}],
  "callback_secret": "$callback_secret",
  "sites": [{"site": "blog", "base_url": "https://blog.example.com", "url_pattern": "/{language}/{slug}"}]}]}
JSON
cat >deploy/local/accounts.json <<'JSON'
{"tenants": {"dev": {"*": {
  "wordpress": {"account": "main", "base_url": "http://sandbox:8090/wordpress/main",
                "username": "postonce", "password": "env:SANDBOX_WORDPRESS_PASSWORD"},
  "webhook": {"account": "hook", "url": "http://sandbox:8090/webhook/hook", "secret": "env:SANDBOX_WEBHOOK_SECRET"}}}}}
JSON
# The services run as user 10001 and read these two files; their folder keeps others out.
chmod 700 deploy/local && chmod 644 deploy/local/*.json
echo "written: .env and deploy/local/; your API key is in deploy/local/bootstrap.json"
