# shellcheck shell=bash
# What the scripts beside it share. They source it after `set -euo pipefail`.
#
# A cluster is a directory with three servers of PostgreSQL, the nodes of deckd that share their database, and:
#
#   settings             the options of the last `up`; a directory without it is not touched
#   leader               the server that is the primary, or will become it: primary, standby1 or standby2
#   passfile             the password of the user deckd
#   pg_hba.conf          who may connect
#   sockets/             the servers' sockets, where the superuser postgres needs no password
#   primary/ …           the data of each server
#   primary.conf …       its settings
#   primary.log …        what it says; those of the nodes are node1.log …
#   primary.pid …        its process; those of the nodes are node1.pid …
#
# A server has the name that it began with, whether it is the primary now or not.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=config/cluster/$(basename "$0")
servers=(primary standby1 standby2)
directory=$root/.build/cluster

# What `settings` holds.
nodes=3
port=8081
postgres_port=15432
sync=off
deckd=
deckd_arguments=()

leader=
programs=
# PostgreSQL refuses to run as root. On a machine where everything does, its package has made a user for it.
owner=$(id -un)
as_owner=()
if [ "$(id -u)" -eq 0 ]; then
    owner=postgres
    as_owner=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi

# libpq takes from the environment what an address leaves out. deckd refuses the variables of its tests.
unset "${!PG@}" "${!DECKD_TEST_@}"
# The owner of the servers must reach what is in the directory.
umask 022

# fail MESSAGE [STATUS]
fail() {
    echo "$program: $1" >&2
    exit "${2:-1}"
}

# Fails, and shows how the log of a server or a node ends: fail_with_log NAME MESSAGE
fail_with_log() {
    echo "$program: $2. $directory/$1.log ends:" >&2
    tail -n 20 "$directory/$1.log" >&2 || true
    exit 1
}

# expect_value OPTION [VALUE …]
expect_value() {
    [ $# -ge 2 ] || fail "$1 needs a value" 2
}

# expect_number OPTION VALUE LEAST MOST
expect_number() {
    if ! [[ $2 =~ ^(0|[1-9][0-9]{0,5})$ ]] || [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
        fail "$1 must be a number from $3 to $4, not $2" 2
    fi
}

expect_no_more() {
    [ $# -eq 0 ] || fail "$1 is not known here: see --help" 2
}

# Takes what the options said of the directory, and makes an absolute path of it.
resolve_directory() {
    [ -n "$directory" ] || fail "--directory needs a value" 2
    directory=$(realpath --canonicalize-missing -- "$directory")
    # Others would have to be quoted in a different way in each of the places where the path is used.
    case $directory in
        *[!a-zA-Z0-9/._+-]*) fail "a directory's path may have letters, digits and / . _ + - only, not $directory" 2 ;;
    esac
    local socket=$directory/sockets/.s.PGSQL.65535
    # The system has 108 bytes for the path of a socket and a zero.
    [ "${#socket}" -le 107 ] || fail "the path of the directory is too long for sockets: $directory" 2
}

# Reads the settings of a directory that has a cluster.
read_settings() {
    [ -O "$directory/settings" ] || fail "the cluster in $directory belongs to another user"
    # shellcheck source=/dev/null
    source "$directory/settings"
    leader=$(cat "$directory/leader" 2>/dev/null || true)
}

# Opens the cluster that promote and rejoin work on.
open_cluster() {
    resolve_directory
    [ -e "$directory/settings" ] || fail "no cluster is in $directory: config/cluster/up makes one"
    read_settings
    [ -n "$leader" ] || fail "the cluster in $directory was never up"
    find_postgresql
}

write_settings() {
    cat >"$directory/settings.new" <<END
nodes=$nodes
port=$port
postgres_port=$postgres_port
sync=$sync
deckd=${deckd@Q}
deckd_arguments=(${deckd_arguments[*]@Q})
END
    mv "$directory/settings.new" "$directory/settings"
}

set_leader() {
    leader=$1
    echo "$leader" >"$directory/leader.new"
    mv "$directory/leader.new" "$directory/leader"
}

# wait_until SECONDS COMMAND …
wait_until() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.05
    done
}

# now and seconds_since measure in microseconds. The locale decides what stands before the fraction.
now() {
    echo "${EPOCHREALTIME/[.,]/}"
}

seconds_since() {
    local tenths=$((($(now) - $1 + 50000) / 100000))
    echo "$((tenths / 10)).$((tenths % 10)) s"
}

# Whether a port of 127.0.0.1 cannot be listened on. It can also be the near end of a connection that somebody has opened,
# as the system gives any port above 32767 for that.
is_taken() {
    local port
    port=$(printf '%04X' "$1")
    # Addresses are little-endian: 127.0.0.1 and all of IPv4, all of IPv6, and 127.0.0.1 in IPv6. The states are established,
    # just sent, and listening; what is left of a connection that was closed is not in the way.
    awk -v port="$port" '
        split($2, local, ":") == 2 && local[2] == port && $4 ~ /^(01|02|0A)$/ &&
        local[1] ~ /^(0100007F|00000000|00000000000000000000000000000000|0000000000000000FFFF00000100007F)$/ { found = 1 }
        END { exit !found }
    ' < <(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null)
}

### Servers

find_postgresql() {
    local folder
    for folder in "$(pg_config --bindir 2>/dev/null || true)" /usr/lib/postgresql/*/bin; do
        if [ -x "$folder/initdb" ] && [ -x "$folder/pg_basebackup" ]; then
            programs=$folder
            break
        fi
    done
    [ -n "$programs" ] || fail "PostgreSQL is not installed: run config/bootstrap --tests"
    getent passwd "$owner" >/dev/null || fail "PostgreSQL cannot run as root, and there is no user $owner"
}

# Runs a program of PostgreSQL that is waited for. It starts where its user has access, and does not outlive the script,
# or the next one would meet it.
run_as_owner() {
    (cd / && exec "${as_owner[@]}" setpriv --pdeathsig=KILL "$@")
}

port_of() {
    case $1 in
        primary) echo "$postgres_port" ;;
        standby1) echo $((postgres_port + 1)) ;;
        standby2) echo $((postgres_port + 2)) ;;
    esac
}

address_of() {
    echo "host=$directory/sockets port=$(port_of "$1") user=postgres"
}

# Statements are arguments, each a separate transaction, or come from the standard input: query NAME [STATEMENT …]
query() {
    local name=$1 statement arguments=()
    shift
    for statement in "$@"; do arguments+=(--command="$statement"); done
    # A server that is stopped by a signal takes connections but never answers.
    timeout 90 "$programs/psql" --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 \
        --dbname="$(address_of "$name") dbname=postgres connect_timeout=5" "${arguments[@]}"
}

# Prints the processes of a server. All work in its data directory, and some can outlive the first of them for a moment.
processes_of() {
    local process
    for process in /proc/[0-9]*; do
        if [ "$process/cwd" -ef "$directory/$1" ]; then
            # A shell can be there, too. A program that was replaced by an update has a note after its name.
            case $(readlink "$process/exe") in
                */postgres | */postgres\ *) echo "${process#/proc/}" ;;
            esac
        fi
    done
}

runs() {
    [ -n "$(processes_of "$1")" ]
}

is_gone() {
    ! runs "$1"
}

is_in_recovery() {
    [ "$(query "$1" "SELECT pg_is_in_recovery()" 2>/dev/null)" = t ]
}

# Whether a server is to start as a standby. A former primary that did not rejoin is not.
is_standby() {
    [ -e "$directory/$1/standby.signal" ]
}

write_server_settings() {
    local name=$1 other others=()
    for other in "${servers[@]}"; do
        [ "$other" = "$name" ] || others+=("$other")
    done
    cat >"$directory/$name.conf" <<END
cluster_name = '$name'
listen_addresses = '127.0.0.1'
port = $(port_of "$name")
unix_socket_directories = '$directory/sockets'
hba_file = '$directory/pg_hba.conf'

# A commit is answered when the primary has it on disk, and on the number of standbys in the next setting: "on". They need
# not have applied it, so that reads from a standby can be older.
synchronous_commit = on
# One of the two standbys, whichever is first: "ANY 1". So the loss of one standby stops nothing, and what was answered
# survives the loss of the primary. Without any standby commits wait. This is in effect while the server is the primary.
synchronous_standby_names = 'ANY 1 (${others[0]}, ${others[1]})'
# Off: "on disk" means that the system has it. It survives kill -9 of every process, but not the loss of power.
fsync = $sync

# pg_rewind needs it: a former primary is brought back without a copy of everything.
wal_log_hints = on
# For a standby that was away for a moment and for pg_rewind. The second keeps one that is away for long from filling the
# disk of the primary; it is copied anew then.
wal_keep_size = 128MB
max_slot_wal_keep_size = 1GB
# A standby tries to reach its primary so often.
wal_retrieve_retry_interval = 200ms
# A partner that is silent for this time is considered dead.
wal_sender_timeout = 10s
wal_receiver_timeout = 10s

# Small, since there are three on one machine.
shared_buffers = 64MB
max_wal_size = 512MB
max_connections = 200
jit = off

log_line_prefix = '%m [%p] '
lc_messages = 'C'
END
}

write_access_rules() {
    cat >"$directory/pg_hba.conf" <<END
# Only the servers' owner and root can enter the directory of the sockets.
local all,replication all trust
host all deckd 127.0.0.1/32 scram-sha-256
END
}

# Makes an empty folder beside a server's, in which its data come about: begin_data NAME
begin_data() {
    remove_unfinished "$1"
    make_folder_of_owner "$directory/$1.new"
}

# Takes the finished data for the server's, in place of what it had.
finish_data() {
    rm -rf "${directory:?}/$1"
    mv "$directory/$1.new" "$directory/$1"
}

# Removes what is left of an attempt that did not come to its end. A server that initdb has started may still see to it.
remove_unfinished() {
    wait_until 30 is_gone "$1.new" || fail "somebody still works in $directory/$1.new"
    rm -rf "$directory/$1.new"
}

make_folder_of_owner() {
    if [ "$(id -u)" -eq 0 ]; then
        install -d -m 700 -o postgres -g postgres "$1"
    else
        install -d -m 700 "$1"
    fi
}

# Removes the marks of a server that was killed. PostgreSQL takes it for running as long as any process has its number, also
# one that has ended and whose parent has not waited for it.
remove_marks() {
    is_gone "$1" || fail "$1 runs already"
    rm -f "$directory/$1/postmaster.pid" "$directory/sockets/.s.PGSQL.$(port_of "$1")"{,.lock}
}

# Starts a server and waits until it can be asked. Returns 1 if that does not come about.
start_server() {
    local name=$1 process end=$((SECONDS + 60))
    remove_marks "$name"
    write_server_settings "$name"
    (
        cd /
        exec setsid "${as_owner[@]}" "$programs/postgres" -D "$directory/$name" -c config_file="$directory/$name.conf"
    ) </dev/null >>"$directory/$name.log" 2>&1 &
    process=$!
    echo "$process" >"$directory/$name.pid"
    # The eighth line of this file is what the server says of itself. A connection that comes too early fills its log.
    until [[ $(sed -n 8p "$directory/$name/postmaster.pid" 2>/dev/null) == ready* ]]; do
        kill -0 "$process" 2>/dev/null || return 1
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.05
    done
}

# Stops a server by a fast shutdown: it ends connections and writes everything to disk.
stop_server() {
    local name=$1 process first
    first=$(head -n 1 "$directory/$name/postmaster.pid" 2>/dev/null || true)
    for process in $(processes_of "$name"); do
        [ "$process" != "$first" ] || kill -INT "$process" 2>/dev/null || true
        # A test may have stopped it.
        kill -CONT "$process" 2>/dev/null || true
    done
    # Without its first process a server ends by itself.
    if ! wait_until 60 is_gone "$name"; then
        echo "$program: $name does not stop and is killed" >&2
        for process in $(processes_of "$name"); do kill -KILL "$process" 2>/dev/null || true; done
        wait_until 10 is_gone "$name" || fail "$name cannot be killed"
    fi
    rm -f "$directory/$name.pid"
}

# Stops all servers, the primary first: it sends the standbys everything before it ends.
stop_servers() {
    local name process
    for name in "${servers[@]}"; do
        # The primary would wait for a standby that a test has stopped.
        for process in $(processes_of "$name"); do kill -CONT "$process" 2>/dev/null || true; done
    done
    [ -z "$leader" ] || stop_server "$leader"
    for name in "${servers[@]}"; do
        [ "$name" = "$leader" ] || stop_server "$name"
        remove_unfinished "$name"
    done
}

### Standbys

# The lines by which a stopped server starts as a standby of the primary.
follow_at_start() {
    local file=$directory/$1/postgresql.auto.conf
    run_as_owner sed -i '/^primary_/d' "$file"
    printf '%s\n' "primary_conninfo = '$(address_of "$leader") application_name=$1'" "primary_slot_name = '$1'" >>"$file"
    run_as_owner touch "$directory/$1/standby.signal"
}

# Has a running standby follow another server, or none: follow NAME [SERVER [SLOT]]
follow() {
    local name=$1 address=
    [ -z "${2:-}" ] || address="$(address_of "$2") application_name=$name"
    query "$name" "ALTER SYSTEM SET primary_conninfo TO '$address'" "ALTER SYSTEM SET primary_slot_name TO '${3:-}'" \
        "SELECT pg_reload_conf()" >/dev/null
}

# Creates the slot by which the primary keeps the log for a standby. A slot that has kept too much is created again.
make_slot() {
    query "$leader" \
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots
         WHERE slot_name = '$1' AND wal_status = 'lost' AND NOT active" \
        "SELECT pg_create_physical_replication_slot('$1', true)
         WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = '$1')" >/dev/null
}

# Whether the primary counts what a standby confirms.
confirms() {
    [ "$(query "$leader" "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE application_name = '$1'
        AND state = 'streaming' AND sync_state IN ('sync', 'quorum'))" 2>/dev/null)" = t ]
}

# Makes a former primary, or a standby that went another way, a state that the primary once had. Returns 1 if it cannot.
rewind() {
    local name=$1 options=()
    [ "$sync" = on ] || options+=(--no-sync)
    # pg_rewind looks for the primary's timeline in its last checkpoint.
    query "$leader" CHECKPOINT || return 1
    remove_marks "$name"
    write_server_settings "$name"
    run_as_owner "$programs/pg_rewind" --target-pgdata="$directory/$name" --config-file="$directory/$name.conf" \
        --source-server="$(address_of "$leader") dbname=postgres" --write-recovery-conf "${options[@]}" \
        </dev/null >>"$directory/$name.log" 2>&1
}

copy_primary() {
    local name=$1 options=()
    [ "$sync" = on ] || options+=(--no-sync)
    begin_data "$name"
    run_as_owner "$programs/pg_basebackup" --pgdata="$directory/$name.new" --dbname="$(address_of "$leader")" \
        --slot="$name" --write-recovery-conf --checkpoint=fast "${options[@]}" \
        </dev/null >>"$directory/$name.log" 2>&1 || fail_with_log "$name" "$leader could not be copied"
    finish_data "$name"
}

# Prepares the data of a stopped server so that it can follow the primary: prepare NAME WAY. Returns 1 if it cannot be done
# in this way.
prepare() {
    case $2 in
        started) is_standby "$1" ;;
        rewound) [ -e "$directory/$1/PG_VERSION" ] && rewind "$1" ;;
        copied) copy_primary "$1" ;;
    esac
}

# Has a stopped server follow the primary, in the cheapest way that works, and says in `how` which that was. A server that was
# prepared may still need log that the primary has removed; the next way is tried then.
attach() {
    local name=$1 patience=15
    make_slot "$name"
    for how in started rewound copied; do
        prepare "$name" "$how" || continue
        follow_at_start "$name"
        if start_server "$name" && wait_until "$patience" confirms "$name"; then break; fi
        patience=60
        [ "$how" != copied ] || fail_with_log "$name" "$name does not follow $leader"
        stop_server "$name"
    done
    # Slots from when it was the primary would keep log that no server will ask for.
    query "$name" "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT active" >/dev/null
}

# Starts the server that is the primary.
start_leader() {
    start_server "$leader" || fail_with_log "$leader" "$leader does not start"
    # A promotion may have ended before its time.
    if is_in_recovery "$leader"; then query "$leader" "SELECT pg_promote()" >/dev/null; fi
}

### Nodes

url_of_node() {
    echo "http://127.0.0.1:$((port + $1 - 1))"
}

# The database, wherever its primary is. A server that is stopped by a signal never answers, and is passed over.
database_address() {
    local hosts=127.0.0.1:$postgres_port,127.0.0.1:$((postgres_port + 1)),127.0.0.1:$((postgres_port + 2))
    echo "postgres://deckd@$hosts/deckd?target_session_attrs=read-write&connect_timeout=5&passfile=$directory/passfile"
}

start_node() {
    local name=node$1
    # The variable identifies the process as a node, see node_runs.
    CLUSTER_DIRECTORY=$directory setsid "$deckd" serve --host 127.0.0.1 --port $((port + $1 - 1)) \
        --data "$(database_address)" "${deckd_arguments[@]}" </dev/null >>"$directory/$name.log" 2>&1 &
    echo $! >"$directory/$name.pid"
}

wait_for_node() {
    local name=node$1 end=$((SECONDS + 60))
    until curl --silent --fail --noproxy '*' --max-time 2 --output /dev/null "$(url_of_node "$1")/readyz"; do
        kill -0 "$(cat "$directory/$name.pid")" 2>/dev/null || fail_with_log "$name" "$name has ended"
        [ "$SECONDS" -lt "$end" ] || fail_with_log "$name" "$name is not ready after a minute"
        sleep 0.05
    done
}

# Whether the process of a file is still the node that was started. Its number can be another program's by now.
node_runs() {
    grep --quiet --null-data --line-regexp --fixed-strings "CLUSTER_DIRECTORY=$directory" \
        "/proc/$(cat "$1" 2>/dev/null)/environ" 2>/dev/null
}

no_node_runs() {
    local file
    for file in "$directory"/node*.pid; do
        if node_runs "$file"; then return 1; fi
    done
}

signal_nodes() {
    local file
    for file in "$directory"/node*.pid; do
        if node_runs "$file"; then kill "-$1" "$(cat "$file")" 2>/dev/null || true; fi
    done
}

stop_nodes() {
    signal_nodes TERM
    # A test may have stopped one.
    signal_nodes CONT
    # deckd waits ten seconds for requests and a few more for the database.
    if ! wait_until 30 no_node_runs; then
        echo "$program: nodes that do not stop are killed" >&2
        signal_nodes KILL
        wait_until 10 no_node_runs || fail "a node cannot be killed"
    fi
    rm -f "$directory"/node*.pid
}

# What runs, by name.
running() {
    local name file
    for name in "${servers[@]}"; do
        if runs "$name"; then echo "$name"; fi
    done
    for file in "$directory"/node*.pid; do
        if node_runs "$file"; then basename "$file" .pid; fi
    done
}
