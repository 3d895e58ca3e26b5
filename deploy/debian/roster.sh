#!/bin/sh
# Runs a command with the configuration of the service, as its user.

# Exports the variables of a file as systemd reads it. The file is not a shell script: spaces, `&`, `$` and `*` in a value
# have no special meaning. Unlike systemd, this takes backslashes literally.
load_environment() {
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line#"${line%%[![:space:]]*}"}
    line=${line%"${line##*[![:space:]]}"}
    case $line in
      '#'* | ';'*) continue ;;
      *=*) ;;
      *) continue ;;
    esac
    name=${line%%=*}
    name=${name%"${name##*[![:space:]]}"}
    value=${line#*=}
    value=${value#"${value%%[![:space:]]*}"}
    case $name in
      '' | [0-9]* | *[!A-Za-z0-9_]*) continue ;;
    esac
    case $value in
      \"*\" | \'*\')
        value=${value#?}
        value=${value%?}
        ;;
    esac
    export "$name=$value"
  done <"$1"
}

if [ -r /etc/roster/roster.env ]; then
  load_environment /etc/roster/roster.env
fi
if [ "$(id -u)" = 0 ]; then
  exec runuser -u roster -- /usr/lib/roster/roster "$@"
fi
exec /usr/lib/roster/roster "$@"
