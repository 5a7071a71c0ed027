# Debian packages, where installing them is permitted: sourced by setup, session and run.
# CURTAIN_NO_SYSTEM=1 forbids it: then nothing outside the checkout is touched.

say() { printf '%s\n' "$*" >&2; }

# Another program may be installing at this moment, and a server may be busy.
APT=(-o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3)

apt_get() {
  if [ "$(id -u)" -eq 0 ]; then
    DEBIAN_FRONTEND=noninteractive apt-get "${APT[@]}" "$@"
  else
    sudo -n DEBIAN_FRONTEND=noninteractive apt-get "${APT[@]}" "$@"
  fi </dev/null
}

may_install() {
  [ -z "${CURTAIN_NO_SYSTEM:-}" ] && command -v apt-get >/dev/null 2>&1 || return 1
  [ "$(id -u)" -eq 0 ] || { command -v sudo >/dev/null 2>&1 && apt_get --version >/dev/null 2>&1; }
}

# The one line that a person can type to have these packages.
install_line() {
  if ! command -v apt-get >/dev/null 2>&1; then
    printf 'with the package tool of this system, what Debian calls: %s' "$*"
  elif [ "$(id -u)" -eq 0 ]; then
    printf 'apt-get update && apt-get install -y %s' "$*"
  elif command -v sudo >/dev/null 2>&1; then
    printf 'sudo apt-get update && sudo apt-get install -y %s' "$*"
  else
    printf "su -c 'apt-get update && apt-get install -y %s'" "$*"
  fi
}

# Lists of packages may be missing or out of date; fetching them anew is the second try, not the first.
install_packages() {
  may_install || return 1
  say "Installing Debian packages: $*"
  apt_get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 ||
    { apt_get update -qq >&2 && apt_get install -y -qq --no-install-recommends "$@" >/dev/null; }
}
