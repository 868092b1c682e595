#!/bin/bash
# Roles and schemas, then the roles' password. Runs against a database that is up; running it again changes nothing.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -q -f /bootstrap.sql
for service in ingest relay index dispatch verify; do
  printf '%s\n' "alter role postonce_$service password :'password';" |
    psql -v ON_ERROR_STOP=1 -q -v password="$POSTONCE_DB_PASSWORD"
done
echo "database prepared"
