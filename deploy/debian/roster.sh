#!/bin/sh
# Runs a command with the configuration of the service, as its user.
if [ -r /etc/roster/roster.env ]; then
  set -a
  . /etc/roster/roster.env
  set +a
fi
if [ "$(id -u)" = 0 ]; then
  exec runuser -u roster -- /usr/lib/roster/roster "$@"
fi
exec /usr/lib/roster/roster "$@"
