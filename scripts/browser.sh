#!/bin/sh
# Make sure that there is a Chromium with its driver: install Debian's as root, else say how to.
set -eu

if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
    exit 0
fi
install="apt-get install -y --no-install-recommends chromium chromium-driver fonts-dejavu-core"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    exec $install -qq
fi
echo "The tests of pages need Chromium and its driver; install them with:" >&2
echo "    sudo apt-get update && sudo $install" >&2
exit 1
