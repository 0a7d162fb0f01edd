import { deliveryHash, deliveryIdHash } from '#server/domain/deploys/delivery.ts';
import type { GitPush } from '#server/domain/deploys/push.ts';
import { pushPayload } from '#server/domain/limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { IncomingRaw } from '#server/handlers/call.ts';
import { BodyError } from '#server/http/body-error.ts';
import { bodyTurn } from '#server/http/body-turn.ts';
import { pickFormField } from '#server/http/pick-form-field.ts';
import { pickJson } from '#server/http/pick-json.ts';
import { hosts, type HostDialect } from './hosts.ts';
import { fileFields, objectOf, payloadFields, tellsBefore, type Payload } from './payload.ts';
import { requireSignature } from './signature.ts';

/** A delivery whose signature is checked, if one is needed. */
interface GitDelivery {
  /** Undefined for events that are not a push. */
  readonly push: GitPush | undefined;
  readonly idHash: Uint8Array | undefined;
  readonly bodyHash: Uint8Array;
  readonly isKnownByBody: boolean;
  readonly tellsBefore: boolean;
}

/** The most fields of a form. Hosts send one. */
const maxFields = 10;

/**
 * Reads a delivery of any host. Each step takes its own turn of the event loop, because a delivery may be large.
 *
 * @param secret the secret that must have signed the delivery, or undefined to accept any
 * @param readsFiles whether the files that a push changes are wanted
 * @param now milliseconds since the epoch
 * @throws BODY_TOO_LARGE, INVALID_SIGNATURE, INVALID_PAYLOAD
 */
export async function readDelivery(
  raw: IncomingRaw,
  { secret, readsFiles }: { readonly secret: string | undefined; readonly readsFiles: boolean },
  now: number,
): Promise<GitDelivery> {
  const bytes = await raw.read();
  const sender = hosts.find(
    ({ eventHeader, isFrom }) => raw.header(eventHeader) !== undefined && (!isFrom || isFrom(raw.header)),
  );
  // A delivery without a host's headers is signed as GitHub signs.
  if (secret !== undefined) requireSignature(sender ?? hosts.at(-1)!, secret, bytes, raw.header, now);
  await bodyTurn();
  const bodyHash = deliveryHash(bytes);
  await bodyTurn();
  const payload = objectOf(await payloadOf(raw.isForm, bytes, readsFiles));
  const { dialect, event } = sender ? { dialect: sender, event: raw.header(sender.eventHeader) } : unnamed(payload);
  const id = dialect?.deliveryIds.map((name) => raw.header(name)).find((value) => value !== undefined && value !== '');
  const attempt = dialect?.attemptHeader === undefined ? undefined : raw.header(dialect.attemptHeader);
  return {
    push: dialect && pushOf(dialect, event, payload),
    idHash: id === undefined ? undefined : deliveryIdHash(dialect!.host, id),
    bodyHash,
    isKnownByBody: id === undefined || Number(attempt) > 1,
    // A further attempt under a new id may repeat an earlier push. It may also repeat a later push with the same bytes,
    // whose first attempt was refused. Only the newest deploy of the branch tells them apart.
    tellsBefore: id === undefined && tellsBefore(payload),
  };
}

function unnamed(payload: Payload): { readonly dialect: HostDialect | undefined; readonly event: string | undefined } {
  const dialect = hosts.find(({ eventLike }) => eventLike(payload) !== undefined);
  return { dialect, event: dialect?.eventLike(payload) };
}

function pushOf({ host, events }: HostDialect, event: string | undefined, payload: Payload): GitPush | undefined {
  const read = event !== undefined && Object.hasOwn(events, event) ? events[event] : undefined;
  const push = read?.(payload);
  return push && push.changes.length > 0 ? { host, ...push } : undefined;
}

/** Parses the fields that any host's reader needs. A form has the JSON in `payload`, and perhaps other fields. */
async function payloadOf(isForm: boolean, bytes: Buffer, readsFiles: boolean): Promise<unknown> {
  try {
    const json = isForm ? await pickFormField(bytes, 'payload', maxFields) : bytes;
    return (readsFiles && (await withFiles(json))) || (await pickJson(json, { ...pushPayload, names: payloadFields }));
  } catch (error) {
    throw error instanceof BodyError ? new Refusal('INVALID_PAYLOAD') : error;
  }
}

/** Parses the lists of files too. Returns undefined if there are more than are compared. */
async function withFiles(json: Buffer): Promise<unknown> {
  try {
    return await pickJson(json, { ...pushPayload, names: fileFields });
  } catch (error) {
    if (error instanceof BodyError && error.reason === 'too-many') return undefined;
    throw error;
  }
}
