# A private PostgreSQL and a private sound server, for .ci/run and for trying things out: source it, start what is
# wanted, and call stop_services at the end.

SERVICES=()

# An interrupt makes PostgreSQL end at once, clients or not; a plain kill would wait for them.
stop_services() {
  local pid
  for pid in "${SERVICES[@]}"; do kill -INT "$pid" 2>/dev/null || true; done
  for pid in "${SERVICES[@]}"; do
    for _ in $(seq 300); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  SERVICES=()
}

# until_ready PID COMMAND ...: until the command succeeds, for two minutes at most and no longer than the process lives.
until_ready() {
  local pid=$1
  shift
  for _ in $(seq 1200); do
    "$@" >/dev/null 2>&1 && return
    kill -0 "$pid" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}

free_port() { python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# start_postgres DIR: exports POSTGRES_URL, whose user may create databases and roles. Nothing in it outlives DIR.
start_postgres() {
  local dir=$1 bin port password as=()
  bin=$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -n 1)
  port=$(free_port)
  password=$(cat /proc/sys/kernel/random/uuid)
  mkdir -p "$dir"
  printf '%s\n' "$password" >"$dir/password"
  if [ "$(id -u)" -eq 0 ]; then  # PostgreSQL refuses to run as root; the Debian package made a user for it
    chown -R postgres "$dir"
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
  fi
  (cd / && "${as[@]}" "$bin/initdb" -D "$dir/data" -A scram-sha-256 -U curtain --pwfile="$dir/password" -E UTF8 \
    --locale=C.UTF-8 --no-sync) >"$dir/initdb.log"
  (cd / && exec "${as[@]}" "$bin/postgres" -D "$dir/data" -c listen_addresses=127.0.0.1 -c "port=$port" \
    -c "unix_socket_directories=$dir" -c fsync=off) >"$dir/server.log" 2>&1 </dev/null &
  SERVICES+=($!)
  until_ready $! "$bin/pg_isready" -q -h 127.0.0.1 -p "$port" || { cat "$dir/server.log"; return 1; }
  PGPASSWORD=$password "$bin/createdb" -h 127.0.0.1 -p "$port" -U curtain curtain || { cat "$dir/server.log"; return 1; }
  export POSTGRES_URL="postgresql+psycopg://curtain:$password@127.0.0.1:$port/curtain"
}

# start_pulse DIR: a sound server with two null sinks. What is played into mic_in is what the microphone hears;
# spk_out.monitor is what the loudspeaker would have played. Without shared memory: under load the server loses count
# of its blocks there and aborts (PulseAudio 16.1).
start_pulse() {
  local dir=$1
  mkdir -p "$dir"
  chmod 700 "$dir"
  cat >"$dir/curtain.pa" <<PA
load-module module-native-protocol-unix socket=$dir/native auth-anonymous=1
load-module module-null-sink sink_name=mic_in rate=16000 channels=1 format=s16le sink_properties=device.description=mic_in
load-module module-null-sink sink_name=spk_out rate=16000 channels=1 format=s16le sink_properties=device.description=spk_out
set-default-sink spk_out
set-default-source mic_in.monitor
PA
  export PULSE_SERVER=unix:$dir/native PULSE_RUNTIME_PATH=$dir PULSE_STATE_PATH=$dir
  pulseaudio -n --daemonize=no --disable-shm=yes --exit-idle-time=-1 --use-pid-file=no --log-target="file:$dir/log" -F "$dir/curtain.pa" \
    </dev/null >"$dir/out" 2>&1 &
  SERVICES+=($!)
  until_ready $! pactl info && return
  cat "$dir/log" "$dir/out"
  return 1
}
