#!/bin/sh
# Runs once, in the database's container, after roles.sql.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres --dbname vezne <<'SQL'
\getenv owner DB_OWNER_PASSWORD
\getenv app DB_APP_PASSWORD
alter role vezne_owner password :'owner';
alter role vezne_app password :'app';
SQL
