/** What a server states about a file that it has stored or sent. */
export interface Receipt {
  /** What has happened: `upload` or `download`. */
  readonly action: 'upload' | 'download';
  /** The id of the file. */
  readonly id: string;
  /** The size of the file in bytes. */
  readonly size: number;
  /** The SHA-256 of its bytes in hex. */
  readonly sha256: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The account that owns the file. */
  readonly account: string;
  /** The API key that the file was stored with, or that minted the upload token. Null for a download. */
  readonly key: string | null;
}

/** What a server states about the files that a sender has sent to a file request. */
export interface SentReceipt {
  readonly action: 'receive';
  /** The id of the request. */
  readonly file_request: string;
  /** The heading of its page. */
  readonly title: string;
  readonly files: ReadonlyArray<{
    /** The name as sent, with its folders. */
    readonly name: string;
    /** The size of the file in bytes. */
    readonly size: number;
    /** The SHA-256 of its bytes in hex. */
    readonly sha256: string;
    /** When it arrived: ISO 8601 in UTC. */
    readonly at: string;
  }>;
}

/** A public key of receipts, as `GET /v1/receipts/keys` lists it. */
export interface ReceiptKey {
  readonly kty: string;
  readonly crv: string;
  readonly kid: string;
  readonly x: string;
}

type ReceiptKeys = { readonly keys: readonly ReceiptKey[] } | readonly ReceiptKey[];

/** The receipt is malformed, was changed, or was signed with another key. */
export class ReceiptInvalid extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ReceiptInvalid';
  }
}

/**
 * Verifies a receipt without asking the server. Works in Node, in browsers and at the edge.
 *
 * @param receipt as the upload or the download has returned it
 * @param keys the answer of `GET /v1/receipts/keys`, or its `keys`. Keep them: they change only with the master key
 * @returns what the receipt states
 * @throws {ReceiptInvalid} if it must not be trusted
 */
export async function verifyReceipt(receipt: string, keys: ReceiptKeys): Promise<Receipt> {
  return (await verified(receipt, keys, 'cubby-receipt')) as Receipt;
}

/**
 * Verifies the receipt of a sender to a file request. It is another kind: neither function takes the other's receipts.
 *
 * @param receipt as the page of the request offers it
 * @param keys as for `verifyReceipt()`
 * @throws {ReceiptInvalid} if it must not be trusted
 */
export async function verifySentReceipt(receipt: string, keys: ReceiptKeys): Promise<SentReceipt> {
  return (await verified(receipt, keys, 'cubby-sent-receipt')) as SentReceipt;
}

/** @param kind the `typ` of the receipt's head */
async function verified(receipt: string, keys: ReceiptKeys, kind: string): Promise<unknown> {
  const [head, payload, signature, ...rest] = receipt.split('.');
  if (!head || !payload || !signature || rest.length > 0)
    throw new ReceiptInvalid('A receipt has three parts, joined by dots.');
  const { alg, typ, kid } = parsed(head) as { alg?: unknown; typ?: unknown; kid?: unknown };
  if (alg !== 'EdDSA' || typ !== kind) throw new ReceiptInvalid('This is no receipt of this kind.');
  const known = isList(keys) ? keys : keys.keys;
  const key = known.find((one) => one.kid === kid);
  if (!key || key.kty !== 'OKP' || key.crv !== 'Ed25519')
    throw new ReceiptInvalid('The receipt was signed with a key that is not among the given ones. Fetch them again.');
  const publicKey = await crypto.subtle.importKey(
    'jwk',
    { kty: key.kty, crv: key.crv, x: key.x },
    { name: 'Ed25519' },
    false,
    ['verify'],
  );
  const content = new TextEncoder().encode(`${head}.${payload}`);
  if (!(await crypto.subtle.verify('Ed25519', publicKey, bytesOf(signature), content)))
    throw new ReceiptInvalid('The signature does not match. The receipt was changed.');
  return parsed(payload);
}

function isList(keys: object): keys is readonly ReceiptKey[] {
  return Array.isArray(keys);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  let text: string;
  try {
    text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw new ReceiptInvalid('A part of the receipt is not base64url.');
  }
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function parsed(base64url: string): unknown {
  const bytes = bytesOf(base64url);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // `value` stays undefined, and the next line throws.
  }
  if (typeof value !== 'object' || value === null) throw new ReceiptInvalid('A part of the receipt is not JSON.');
  return value;
}
