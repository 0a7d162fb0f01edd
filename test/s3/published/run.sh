#!/bin/sh
# Runs a published suite against a gateway that is started for it: run.sh swift|moto [arguments of the suite]. Fetches
# what it needs from Debian into dist/published (a Debian system with python3 and Node; nothing is installed, no other
# registry is asked).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
suites=${CUBBY_SUITES:-$root/dist/published}
suite=$1
shift
port=${CUBBY_SUITE_PORT:-7500}
mkdir -p "$suites/lists/partial" "$suites/cache/archives/partial" "$suites/deb" "$suites/lib"

# Lists of its own, so that the machine's are left alone. Signed by Debian; the keyring comes with every Debian system.
debian() {
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  release=$1
  shift
  for kind in deb deb-src; do
    echo "$kind [signed-by=$keyring] http://deb.debian.org/debian $release main"
  done > "$suites/sources.list"
  options="-o Dir::State::lists=$suites/lists -o Dir::Cache=$suites/cache"
  options="$options -o Dir::Etc::sourcelist=$suites/sources.list -o Dir::Etc::sourceparts=/nonexistent"
  options="$options -o APT::Sandbox::User=root"
  apt-get $options -qq update
  (cd "$suites/deb" && apt-get $options -qq "$@")
}

# The tools are a newer release's, whose SDK sends checksums by itself: they are Python alone. What was compiled is of
# the system's own release.
tools="python3-pytest python3-iniconfig python3-pluggy python3-packaging python3-boto3 python3-botocore
  python3-s3transfer python3-jmespath python3-dateutil python3-urllib3 python3-requests python3-idna python3-certifi
  python3-tz"

# Packages unpacked beside the suite.
python_with() {
  debian "$(. /etc/os-release && echo "$VERSION_CODENAME")" download python3-charset-normalizer python3-six "$@"
  debian trixie download $tools libisal2
  for package in "$suites"/deb/*.deb; do dpkg -x "$package" "$suites/lib"; done
}

# A release's source, unpacked; prints the folder.
source_of() {
  debian trixie source --download-only --tar-only "$1" > /dev/null
  for archive in "$suites"/deb/"$1"_*.orig.tar.*; do tar -xf "$archive" -C "$suites"; done
  ls -d "$suites"/"${1#python-}"-[0-9]* | tail -n 1
}

serve() {
  node "$here/serve.ts" "$port" > "$suites/serve.json" &
  server=$!
  trap 'kill $server' EXIT
  for second in $(seq 60); do [ -s "$suites/serve.json" ] && break; sleep 1; done
  eval "$(node -e "
    const { endpoint, pairs: [one, two] } = JSON.parse(require('node:fs').readFileSync('$suites/serve.json', 'utf8'));
    console.log('ENDPOINT=' + endpoint);
    console.log('KEY1=' + one.accessKeyId + '\nSECRET1=' + one.secretAccessKey);
    console.log('KEY2=' + two.accessKeyId + '\nSECRET2=' + two.secretAccessKey);
  ")"
  export AWS_ACCESS_KEY_ID="$KEY1" AWS_SECRET_ACCESS_KEY="$SECRET1" AWS_DEFAULT_REGION=us-east-1
}

case $suite in
swift)
  python_with python3-eventlet python3-greenlet python3-netifaces python3-pastedeploy python3-dnspython python3-lxml \
    python3-monotonic python3-pbr
  folder=$(source_of swift)
  serve
  {
    printf '[DEFAULT]\n[s3api_test]\nendpoint = %s\nregion = us-east-1\n' "$ENDPOINT"
    printf 'access_key1 = %s\nsecret_key1 = %s\n' "$KEY1" "$SECRET1"
    printf 'access_key2 = %s\nsecret_key2 = %s\n[func_test]\n' "$KEY2" "$SECRET2"
  } > "$suites/swift.conf"
  cd "$folder"
  PBR_VERSION=2.35.1 CUBBY_SUITE_LIB="$suites/lib" SWIFT_TEST_CONFIG_FILE="$suites/swift.conf" \
    PYTHONPATH="$here:$folder:$suites/lib/usr/lib/python3/dist-packages" \
    /usr/bin/python3 -m pytest -p no:cacheprovider -p cubby_swift -q --tb=short test/s3api \
    -k 'not V2 and not Versioning and not ObjectLock' "$@"
  ;;
moto)
  python_with python3-werkzeug python3-responses python3-xmltodict python3-jinja2 python3-markupsafe \
    python3-cryptography python3-cffi-backend python3-yaml python3-freezegun python3-toml
  folder=$(source_of python-moto)
  serve
  # Without this the SDK presigns in the older way.
  printf '[default]\ns3 =\n  signature_version = s3v4\n  addressing_style = path\n' > "$suites/aws.conf"
  cd "$folder"
  AWS_CONFIG_FILE="$suites/aws.conf" TEST_SERVER_MODE=true TEST_SERVER_MODE_ENDPOINT="$ENDPOINT" \
    PYTHONPATH="$here:$folder:$suites/lib/usr/lib/python3/dist-packages" \
    /usr/bin/python3 -m pytest -p no:cacheprovider -p cubby_moto -q --tb=short tests/test_s3/test_s3.py \
    tests/test_s3/test_s3_copyobject.py tests/test_s3/test_s3_multipart.py \
    tests/test_s3/test_s3_object_attributes.py tests/test_s3/test_s3_list_objects.py \
    tests/test_s3/test_s3_metadata.py "$@"
  ;;
*)
  echo "There is no suite $suite here: swift, moto." >&2
  exit 2
  ;;
esac
