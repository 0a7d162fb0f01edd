import { secretOfFile } from './secret-file.ts';
import { isOn, type Reader } from './values.ts';

/** The bucket that holds the bytes of larger files. */
export interface BucketConfig {
  /** Scheme, host and port, without a trailing slash. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Empty, or ends in a slash. */
  readonly prefix: string;
  /** Whether the bucket is in the path of its addresses and not in the host name. */
  readonly isPathStyle: boolean;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether clients are sent to the bucket for the bytes of a download. */
  readonly redirects: boolean;
}

const name = 'CUBBY_BLOBS_URL';
export const bucketExample = 's3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1';

/** S3's rule for names, which keeps anything else out of addresses. */
const bucketForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const regionForm = /^[a-z0-9-]{1,64}$/;

/** A path of segments. `.` and `..` would be resolved by clients. */
const prefixForm = /^(?:(?!\.{1,2}(?:\/|$))[\w.-]+\/)*$/;

const parameters = ['endpoint', 'region', 'style'];

/** Reads the variables of the bucket. Returns undefined if the bytes are files in the data folder. */
export function bucketConfig(reader: Reader): BucketConfig | undefined {
  const value = reader.text(name);
  const place = value === undefined ? undefined : bucketPlace(reader, blobsBucket, value);
  const shown = place && `s3://${place.bucket}/${place.prefix} at ${place.endpoint}, region ${place.region}`;
  reader.show(name, place, shown ?? 'files in the data folder');
  const pair = keyPair(reader, blobsBucket, value !== undefined);
  const redirects = isOn(reader, 'CUBBY_BLOBS_REDIRECT', 'off');
  if (value === undefined && redirects)
    reader.refuse('CUBBY_BLOBS_REDIRECT', `CUBBY_BLOBS_REDIRECT is on, but needs ${name}: a bucket.`);
  return place && pair && { ...place, ...pair, redirects };
}

/** The variables that `config check` does not list: files that hold the values of others. */
export const bucketFileVariables = ['CUBBY_BLOBS_ACCESS_KEY_ID_FILE', 'CUBBY_BLOBS_SECRET_ACCESS_KEY_FILE'];

/** How a bucket is reached, without the use that it is put to. */
export type BucketPlace = Omit<BucketConfig, 'redirects'>;

/** The variables of a bucket. */
interface BucketVariables {
  /** The variable of the address. */
  readonly name: string;
  /** The beginning of the names of its key pair: `CUBBY_BLOBS`. */
  readonly keys: string;
}

const blobsBucket: BucketVariables = { name, keys: 'CUBBY_BLOBS' };

type Place = Omit<BucketPlace, 'accessKeyId' | 'secretAccessKey'>;

/** Reads a bucket without its key pair. The value is not shown, because it may contain a secret by mistake. */
export function bucketPlace(
  reader: Reader,
  { name: variable, keys }: BucketVariables,
  value: string,
): Place | undefined {
  const refuse = (why: string) => void reader.refuse(variable, `${variable} ${why} Its form is ${bucketExample}.`);
  const url = URL.parse(value);
  if (!url || url.protocol !== 's3:' || url.hash) return refuse('is set, but is no address of a bucket.');
  if (url.username || url.password)
    return refuse(`carries a key. Put it into ${keys}_ACCESS_KEY_ID and ${keys}_SECRET_ACCESS_KEY.`);
  const { searchParams } = url;
  const unknown = [...searchParams.keys()].find((one) => !parameters.includes(one));
  if (unknown !== undefined) return refuse(`has an unknown parameter. The parameters are ${parameters.join(', ')}.`);
  if (!bucketForm.test(url.host)) return refuse('names no valid bucket: 3 to 63 of a-z, 0-9, "-" and ".".');
  const path = url.pathname.replace(/^\/+|\/+$/g, '');
  const prefix = path === '' ? '' : `${path}/`;
  if (!prefixForm.test(prefix))
    return refuse('has a prefix with other characters than letters, digits, "-", "_", ".".');
  const region = searchParams.get('region') ?? 'us-east-1';
  if (!regionForm.test(region)) return refuse('has a region with other characters than a-z, 0-9 and "-".');
  const style = searchParams.get('style') ?? (searchParams.has('endpoint') ? 'path' : 'virtual');
  if (style !== 'path' && style !== 'virtual') return refuse('has a style that is neither "path" nor "virtual".');
  const endpoint = URL.parse(searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`);
  if (!endpoint || !isPlain(endpoint)) return refuse('has an endpoint that is not an http or https address of a host.');
  return { endpoint: endpoint.origin, bucket: url.host, prefix, isPathStyle: style === 'path', region };
}

function isPlain({ protocol, username, password, pathname, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && !username && !password && pathname === '/' && !search && !hash;
}

/** Returns the variables of a half of a key pair. The first that is set counts. */
function keyNames(prefix: string, half: 'ACCESS_KEY_ID' | 'SECRET_ACCESS_KEY'): KeyNames {
  return [`${prefix}_${half}`, `${prefix}_${half}_FILE`, `AWS_${half}`];
}

type KeyNames = readonly [inline: string, file: string, ofAws: string];

/** Reads the key pair of a bucket. Refuses one that no bucket needs. */
export function keyPair(
  reader: Reader,
  { name: variable, keys }: BucketVariables,
  isNeeded: boolean,
): Pick<BucketConfig, 'accessKeyId' | 'secretAccessKey'> | undefined {
  const accessKeyId = secretOf(reader, variable, keyNames(keys, 'ACCESS_KEY_ID'), isNeeded);
  const secretAccessKey = secretOf(reader, variable, keyNames(keys, 'SECRET_ACCESS_KEY'), isNeeded);
  reader.hide(`${keys}_ACCESS_KEY_ID`, accessKeyId);
  reader.hide(`${keys}_SECRET_ACCESS_KEY`, secretAccessKey);
  return accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey };
}

function secretOf(
  reader: Reader,
  variable: string,
  [inline, file, ofAws]: KeyNames,
  isNeeded: boolean,
): string | undefined {
  if (reader.text(inline) !== undefined && reader.text(file) !== undefined)
    reader.refuse(inline, `${inline} and ${file} are both set. Keep one of them.`);
  if (!isNeeded) {
    if (reader.text(inline) !== undefined || reader.text(file) !== undefined)
      reader.refuse(inline, `${inline} is set, but needs ${variable}: the bucket that it is for.`);
    return undefined;
  }
  const path = reader.text(file);
  const value = reader.text(inline) ?? (path === undefined ? reader.text(ofAws) : secretOfFile(reader, file, path));
  if (value !== undefined && /^[\x21-\x7e]+$/.test(value)) return value;
  if (!reader.isRefused(file))
    reader.refuse(
      inline,
      value === undefined
        ? `${variable} needs a key pair for the bucket. Set ${inline}, ${file} or ${ofAws}.`
        : `${inline} has other characters than letters, digits and signs, or spaces within.`,
    );
  return undefined;
}
