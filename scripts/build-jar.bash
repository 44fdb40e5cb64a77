# Builds a jar with Maven where it is missing, or older than what it is made from. To be sourced by a script that has set `root`,
# the root of the source tree, and has a function `die MESSAGE`.

# Sets `jar` to the jar of a module, whose name may be a pattern. Succeeds if it is there and newer than the sources of that module
# and of those that it is made from.
find_jar() {
    local module=$1 name=$2 each modules=(core)
    local jars=("$root/$module/target"/$name)
    jar=${jars[0]}
    [[ -f $jar ]] || return 1
    local sources=("$root/pom.xml" "$root/bom/pom.xml")
    [[ $module == gateway ]] || modules+=(http)
    for each in "${modules[@]}" "$module"; do
        sources+=("$root/$each/pom.xml" "$root/$each/src/main")
    done
    [[ -z $(find "${sources[@]}" -newer "$jar" -print -quit) ]]
}

# Sets `jar` like find_jar, and builds it first where that is needed.
build_jar() {
    if find_jar "$@"; then
        return
    fi
    command -v mvn >/dev/null || die "$1 is not built yet, or older than its sources, and no mvn was found: install Apache Maven"
    mkdir -p "$root/target"
    # Two that start at the same time must not build at the same time. The lock is open only here: what runs later must not hold it.
    if command -v flock >/dev/null; then
        exec 9>"$root/target/recloser-build.lock"
        flock 9
        find_jar "$@" || run_build "$@"
        exec 9>&-
    else
        run_build "$@"
    fi
}

run_build() {
    local module=$1
    local log=$root/target/recloser-build-$module.log started=$root/target/recloser-build-$module.started
    echo "building recloser, which takes a minute or more, and the first time fetches libraries; the log is ${log#"$root/"} ..." >&2
    : >"$started"
    if ! (cd "$root" && mvn -B -pl "$module" -am package -DskipTests -Dspotless.check.skip=true) >"$log" 2>&1 </dev/null; then
        tail -n 40 "$log" >&2
        die "the build failed; all of its output is in $log"
    fi
    find_jar "$@" || [[ -f $jar ]] || die "the build made no jar; its output is in $log"
    # What was edited while the build ran is newer than this.
    touch -r "$started" "$jar"
}
