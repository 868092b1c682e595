#!/usr/bin/env bash
# A real WordPress on loopback, without any plugin, for checking the connector and the sandbox against.
#
#   wordpress.sh up DIR [PORT]   makes it in DIR (or starts it again) and waits until its REST API answers;
#                                PORT 0 or none = a free one. What a client needs is in DIR/wordpress.properties
#   wordpress.sh down DIR        stops what was started for DIR, and nothing else; the files stay
#
# Debian's packages only: php-cli, php-mysql and mariadb-server are installed when they are missing (as root);
# WordPress itself is unpacked, not installed, since its package would bring a web server along.
set -euo pipefail

ADDRESS=127.0.0.1
WORKERS=4
TRIES_MAX=150

die() { echo "wordpress.sh: $*" >&2; exit 1; }

# ---- packages ----

install_packages() {
  local missing=()
  command -v php >/dev/null || missing+=(php-cli)
  [ -n "$(php -m 2>/dev/null | grep -i '^mysqli$')" ] || missing+=(php-mysql)
  command -v mariadbd >/dev/null && command -v mariadb-admin >/dev/null || missing+=(mariadb-server)
  [ ${#missing[@]} -eq 0 ] && return
  [ "$(id -u)" = 0 ] || die "install ${missing[*]} first, or run this as root"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$DIR/apt.log" 2>&1 || die "see $DIR/apt.log"
}

# The theme that this release's WordPress shows by default; without one, public pages are empty.
theme_package() {
  apt-cache depends wordpress | awk 'match($0, /wordpress-theme-[a-z0-9]+/) && !found { found = substr($0, RSTART, RLENGTH) } END { print found }'
}

unpack_wordpress() {
  mkdir -p "$DIR/packages"
  (
    cd "$DIR/packages"
    ls ./wordpress_*.deb >/dev/null 2>&1 || apt-get download -qq wordpress "$(theme_package)" >"$DIR/download.log" 2>&1 \
      || { apt-get update -qq && apt-get download -qq wordpress "$(theme_package)" >"$DIR/download.log" 2>&1; } \
      || die "WordPress could not be downloaded; see $DIR/download.log"
    # Over each other: the theme's folder is a link into the other tree.
    for package in ./*.deb; do dpkg -x "$package" unpacked; done
  )
  rm -rf "$DIR/wordpress"
  mv "$DIR/packages/unpacked/usr/share/wordpress" "$DIR/wordpress"
  mkdir -p "$DIR/wordpress/wp-content/uploads"
  rm -rf "$DIR/packages/unpacked"
}

# ---- files ----

write_configuration() {
  cat >"$DIR/wordpress/wp-config.php" <<PHP
<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'wordpress');
define('DB_PASSWORD', 'wordpress');
define('DB_HOST', 'localhost:$DIR/db.sock');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as \$name) {
    define(\$name . '_KEY', 'counterpart-key-' . \$name);
    define(\$name . '_SALT', 'counterpart-salt-' . \$name);
}
define('WP_ENVIRONMENT_TYPE', 'local'); // what lets application passwords through over plain HTTP
define('WP_HOME', 'http://$ADDRESS:$PORT');
define('WP_SITEURL', 'http://$ADDRESS:$PORT');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
\$table_prefix = 'wp_';
if (!defined('ABSPATH')) {
    define('ABSPATH', __DIR__ . '/');
}
require_once ABSPATH . 'wp-settings.php';
PHP

  # PHP's own server knows no rewriting: files as they are, folders by their index, all else to WordPress.
  cat >"$DIR/router.php" <<'PHP'
<?php
$root = $_SERVER['DOCUMENT_ROOT'];
$path = urldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
if ($path !== '/' && is_file($root . $path)) {
    return false;
}
$script = '/index.php';
if ($path !== '/' && is_file($root . rtrim($path, '/') . '/index.php')) {
    $script = rtrim($path, '/') . '/index.php';
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $script;
chdir(dirname($root . $script));
require $root . $script;
PHP

  cat >"$DIR/install.php" <<'PHP'
<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1';
[, $tree, $properties, $url] = $argv;
require $tree . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
$admin = wp_install('Counterpart', 'admin', 'admin@example.test', false, '', bin2hex(random_bytes(12)))['user_id'];
global $wp_rewrite;
$wp_rewrite->set_permalink_structure('/%postname%/');
$wp_rewrite->flush_rules();
$author = wp_insert_user(['user_login' => 'author', 'user_pass' => bin2hex(random_bytes(12)), 'role' => 'author']);
$lines = "url=$url\n";
foreach (['admin' => $admin, 'author' => $author] as $name => $id) {
    [$password] = WP_Application_Passwords::create_new_application_password($id, ['name' => 'postonce']);
    $lines .= "$name.user=$name\n$name.password=$password\n";
}
global $wp_version;
file_put_contents($properties, $lines . "version=$wp_version\n");
PHP
}

# ---- processes ----

find_php_options() {
  # The least that WordPress needs, so that it runs alike whatever else the machine's PHP loads.
  PHP=(php -n -d extension=mysqlnd -d extension=mysqli -d display_errors=0 -d memory_limit=256M)
  if [[ $(php -n -d zend_extension=opcache -v 2>/dev/null) == *OPcache* ]]; then
    PHP+=(-d zend_extension=opcache -d opcache.enable_cli=1)
  fi
}

# Ours only: a recycled process id is not enough.
is_ours() {
  [ -f "$1" ] || return 1
  local command
  command=$(tr '\0' ' ' <"/proc/$(cat "$1")/cmdline" 2>/dev/null) || return 1
  [[ $command == *"$DIR/"* ]]
}

wait_for() {
  local tries=0
  until "$@" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt "$TRIES_MAX" ] || die "gave up waiting: $*"
    sleep 0.2
  done
}

start_database() {
  is_ours "$DIR/db.pid" && return
  if [ ! -d "$DIR/db" ]; then
    mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$DIR/db" \
      --auth-root-authentication-method=normal --skip-test-db >"$DIR/db-install.log" 2>&1 \
      || die "the database could not be made; see $DIR/db-install.log"
  fi
  # A socket only: no port to collide, nothing to reach from elsewhere.
  setsid mariadbd --no-defaults --user="$(id -un)" --datadir="$DIR/db" --socket="$DIR/db.sock" --skip-networking \
    --pid-file="$DIR/db/mariadbd.pid" </dev/null >"$DIR/db.log" 2>&1 &
  echo $! >"$DIR/db.pid"
  wait_for mariadb-admin --no-defaults --socket="$DIR/db.sock" --user=root ping
  mariadb --no-defaults --socket="$DIR/db.sock" --user=root <<'SQL'
CREATE DATABASE IF NOT EXISTS wordpress CHARACTER SET utf8mb4;
CREATE USER IF NOT EXISTS wordpress@localhost IDENTIFIED BY 'wordpress';
GRANT ALL ON wordpress.* TO wordpress@localhost;
SQL
}

start_web() {
  is_ours "$DIR/php.pid" && return
  # A group of its own, since its workers outlive it when it alone is killed.
  PHP_CLI_SERVER_WORKERS=$WORKERS setsid "${PHP[@]}" -S "$ADDRESS:$PORT" -t "$DIR/wordpress" "$DIR/router.php" \
    </dev/null >"$DIR/php.log" 2>&1 &
  echo $! >"$DIR/php.pid"
}

answers() {
  curl -sf -o /dev/null -u "admin:$(property admin.password)" "http://$ADDRESS:$PORT/wp-json/wp/v2/users/me"
}

property() { sed -n "s/^$1=//p" "$DIR/wordpress.properties"; }

stop() {
  local pid
  is_ours "$1" || { rm -f "$1"; return 0; }
  pid=$(cat "$1")
  kill -- "-$pid" 2>/dev/null || kill "$pid" 2>/dev/null || true
  wait_for bash -c "! kill -0 -- -$pid 2>/dev/null"
  rm -f "$1"
}

# ---- commands ----

free_port() {
  php -n -r '$s = stream_socket_server("tcp://127.0.0.1:0"); echo explode(":", stream_socket_get_name($s, false))[1];'
}

up() {
  mkdir -p "$DIR"
  DIR=$(cd "$DIR" && pwd)
  [ ${#DIR} -le 90 ] || die "$DIR is too long for a socket's path"
  install_packages
  find_php_options
  PORT=${1:-0}
  if [ -f "$DIR/wordpress.properties" ]; then
    # Its own links hold the port, so it keeps the first one.
    PORT=$(property url | sed 's/.*://')
  elif [ "$PORT" = 0 ]; then
    PORT=$(free_port)
  fi
  [ -d "$DIR/wordpress" ] || unpack_wordpress
  write_configuration
  start_database
  [ -f "$DIR/wordpress.properties" ] \
    || "${PHP[@]}" -d sendmail_path=/bin/true "$DIR/install.php" "$DIR/wordpress" "$DIR/wordpress.properties" \
      "http://$ADDRESS:$PORT" >"$DIR/install.log" 2>&1 || die "the site could not be made; see $DIR/install.log"
  start_web
  wait_for answers
  # A server that failed to bind leaves the port to a stranger, which would answer in its place.
  is_ours "$DIR/php.pid" || die "another server has port $PORT; see $DIR/php.log"
  echo "WordPress $(property version) at http://$ADDRESS:$PORT, accounts in $DIR/wordpress.properties"
}

down() {
  [ -d "$DIR" ] || return 0
  DIR=$(cd "$DIR" && pwd)
  stop "$DIR/php.pid"
  stop "$DIR/db.pid"
}

case "${1:-}" in
  up | down)
    [ -n "${2:-}" ] || die "usage: wordpress.sh up DIR [PORT] | down DIR"
    DIR=$2
    "$1" "${@:3}"
    ;;
  *) die "usage: wordpress.sh up DIR [PORT] | down DIR" ;;
esac
