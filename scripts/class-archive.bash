# Keeps an archive of the classes of a jar as the JVM has them in memory. With it the gateway starts in about half the time; without it,
# it works as well. To be sourced by a script that has set `java`, `java_version`, which is what that says of itself, `options`, those of
# every start, and `jar`.

# Adds the options to `options` that have the archive used, where there is one.
use_archive() {
    name_archive
    if [[ -f $archive ]]; then
        # Other options may forbid the use of an archive; the JVM then does without, and need not say so.
        options+=(-Xshare:auto -XX:SharedArchiveFile="$archive" '-Xlog:cds*=off')
    fi
}

# Makes the archive where there is none. That it cannot be made is no reason not to start.
make_archive() {
    name_archive
    if [[ -f $archive || -f $archive.none || ! -w ${jar%/*} ]]; then
        return
    fi
    training=$(mktemp -d "${jar%/*}/archive.XXXXXX" 2>/dev/null) || return 0
    echo "preparing for faster starts ..." >&2
    trained=
    trap 'end_training' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    if train && [[ -s $training/classes.jsa ]]; then
        # Those of jars that are no more.
        find "${jar%/*}" -maxdepth 1 -name '*.jsa*' ! -newer "$jar" -delete 2>/dev/null || true
        mv -f "$training/classes.jsa" "$archive" || true
    else
        echo "it could not be done, and is not needed" >&2
        : >"$archive.none" || true # not to be tried at each start
    fi
    end_training
    trap - EXIT INT TERM
}

# Sets `archive`. A JVM takes only what it has made itself, of the jar as it is now, so both are in the name.
name_archive() {
    archive=${jar%.jar}-$({ echo "$java_version"; date -r "$jar" +%s; echo "$jar"; } | cksum | cut -d ' ' -f 1).jsa
}

# Runs a gateway that serves one request, and writes at its end what it has loaded.
train() {
    local port='' i
    cat >"$training/gateway.yaml" <<'YAML'
listen: 127.0.0.1:0
admin: 127.0.0.1:0
routes: [ { match: { path: /** }, cluster: none } ]
clusters: { none: { destinations: [ "http://127.0.0.1:1" ] } }
YAML
    : >"$training/log"
    "$java" "${options[@]}" -XX:ArchiveClassesAtExit="$training/classes.jsa" '-Xlog:cds*=off' \
        -jar "$jar" gateway "$training/gateway.yaml" >"$training/log" 2>&1 &
    trained=$!
    for ((i = 0; i < 300; i++)); do
        port=$(sed -n 's/^listening on .*:\([0-9]*\)$/\1/p' "$training/log")
        [[ -z $port ]] && kill -0 "$trained" 2>/dev/null || break
        sleep 0.1
    done
    [[ -z $port ]] || request "$port"
    kill "$trained" 2>/dev/null || true
    wait "$trained"
}

request() {
    (
        exec 3<>"/dev/tcp/127.0.0.1/$1"
        printf 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
        cat <&3
    ) >/dev/null 2>&1 || true
}

end_training() {
    [[ -z $trained ]] || kill -9 "$trained" 2>/dev/null || true
    rm -rf "$training"
}
