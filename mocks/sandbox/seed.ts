import type { SandboxAccount } from '../sandbox.ts';
import { ControlError } from './failures.ts';

/** A file to store. Exactly one of `base64`, `text` and `sizeBytes` gives its bytes. */
interface SeedFile {
  /** `photos/beach.png`: prefix, name and extension. */
  readonly path: string;
  readonly base64?: string;
  readonly text?: string;
  /** So many bytes that are always the same. */
  readonly sizeBytes?: number;
  /** The account that gets it, by its plan. Default: `pro`. */
  readonly plan?: string;
  readonly private?: boolean;
  readonly expire?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A request after the files, with the fields of its operation. `file` names a file of the seed by its path. */
interface SeedRequest {
  readonly plan?: string;
  readonly file?: string;
  readonly [field: string]: unknown;
}

/** What a sandbox holds before a test. */
export interface Seed {
  readonly files?: readonly SeedFile[];
  /** Fields of `createShare`; `file` in place of `object`. */
  readonly shares?: readonly SeedRequest[];
  /** Fields of `createUploadToken`. */
  readonly uploadTokens?: readonly SeedRequest[];
}

/** What was made, in the order of the seed: the responses of the operations. */
interface Seeded {
  readonly files: ReadonlyArray<{ readonly path: string; readonly id: string; readonly url: string | null }>;
  readonly shares: readonly unknown[];
  readonly uploadTokens: readonly unknown[];
}

/** The server that is filled. */
interface Target {
  /** Address of the API, without a trailing slash. */
  readonly api: string;
  readonly accounts: readonly SandboxAccount[];
}

/**
 * Fills a sandbox by requests to its API, so everything is as a client would have made it.
 *
 * @throws {ControlError} for a seed that cannot be read, or an entry that the server refuses
 */
export async function plantSeed(target: Target, seed: Seed): Promise<Seeded> {
  const files: Array<Seeded['files'][number]> = [];
  for (const [index, file] of listOf(seed.files, 'files').entries())
    files.push({ path: file.path, ...(await upload(target, file, `files[${index}] (${file.path})`)) });
  const shares: unknown[] = [];
  for (const [index, { file, ...fields }] of listOf(seed.shares, 'shares').entries()) {
    const object = files.find(({ path }) => path === file)?.id ?? fields.object;
    shares.push(await post(target, '/v1/shares', { ...fields, object }, `shares[${index}]`));
  }
  const uploadTokens: unknown[] = [];
  for (const [index, fields] of listOf(seed.uploadTokens, 'uploadTokens').entries())
    uploadTokens.push(await post(target, '/v1/upload-tokens', fields, `uploadTokens[${index}]`));
  return { files, shares, uploadTokens };
}

function listOf<Entry>(list: readonly Entry[] | undefined, name: string): readonly Entry[] {
  if (list === undefined) return [];
  if (!Array.isArray(list) || !list.every((entry) => typeof entry === 'object' && entry !== null))
    throw new ControlError(`"${name}" of the seed must be a list of objects.`);
  return list;
}

function accountOf({ accounts }: Target, plan: unknown = 'pro', entry: string): SandboxAccount {
  const account = accounts.find((one) => one.plan === plan);
  if (account) return account;
  throw new ControlError(
    `${entry}: "plan" must be one of ${accounts.map((one) => one.plan).join(', ')}. Got ${JSON.stringify(plan)}.`,
  );
}

async function upload(
  target: Target,
  file: SeedFile,
  entry: string,
): Promise<{ readonly id: string; readonly url: string | null }> {
  const [, prefix, name, extension] = /^(?:(.+)\/)?([^/]+?)(\.[a-z0-9.]+)?$/i.exec(String(file.path)) ?? [];
  if (name === undefined) throw new ControlError(`${entry}: "path" must be a path such as photos/beach.png.`);
  const query = new URLSearchParams({
    name,
    ...(prefix !== undefined && { prefix }),
    ...(file.private !== undefined && { private: String(file.private) }),
    ...(file.expire !== undefined && { expire: file.expire }),
    ...(file.metadata && { metadata: JSON.stringify(file.metadata) }),
  });
  const form = new FormData();
  form.append('file', new Blob([bytesOf(file, entry)]), `${name}${extension ?? ''}`);
  const { credential } = accountOf(target, file.plan, entry);
  const answer = await fetch(`${target.api}/v1/objects?${query}`, {
    method: 'POST',
    headers: { Authorization: credential },
    body: form,
  });
  return responseOf(answer, entry);
}

function bytesOf({ base64, text, sizeBytes }: SeedFile, entry: string): Uint8Array<ArrayBuffer> {
  if ([base64, text, sizeBytes].filter((one) => one !== undefined).length !== 1)
    throw new ControlError(`${entry}: give its bytes as "from", "base64", "text" or "sizeBytes".`);
  if (base64 !== undefined) return new Uint8Array(Buffer.from(base64, 'base64'));
  if (text !== undefined) return new Uint8Array(Buffer.from(text));
  if (typeof sizeBytes !== 'number' || !Number.isInteger(sizeBytes) || sizeBytes < 0 || sizeBytes > 104_857_600)
    throw new ControlError(`${entry}: "sizeBytes" must be a whole number up to 104857600.`);
  return Uint8Array.from({ length: sizeBytes }, (_, index) => index % 251);
}

async function post(target: Target, path: string, { plan, ...fields }: SeedRequest, entry: string): Promise<unknown> {
  const { credential } = accountOf(target, plan, entry);
  const answer = await fetch(target.api + path, {
    method: 'POST',
    headers: { Authorization: credential, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  });
  return responseOf(answer, entry);
}

async function responseOf(answer: Response, entry: string): Promise<any> {
  const body = (await answer.json()) as { code?: string; message?: string; response?: unknown };
  if (!answer.ok) throw new ControlError(`${entry}: the server answered ${body.code}: ${body.message}`);
  return body.response;
}
