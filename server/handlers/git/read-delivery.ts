import { deliveryHash, isSameText, isSignedWith } from '#server/domain/deploys/delivery.ts';
import type { GitPush } from '#server/domain/deploys/push.ts';
import { pushPayload } from '#server/domain/limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { IncomingRaw } from '#server/handlers/call.ts';
import { FormBodyError, parseFormBytes } from '#server/http/form-body.ts';
import { JsonBodyError, parseJsonBytes } from '#server/http/json-body.ts';
import { malformedValue } from '#server/http/query.ts';
import { hosts, type HeaderOf, type HostDialect } from './hosts.ts';
import { objectOf, tellsBefore, type Payload } from './payload.ts';

/** A delivery whose signature, where one is asked for, has been checked. */
export interface GitDelivery {
  /** Undefined for events that are no push. */
  readonly push: GitPush | undefined;
  readonly idHash: Uint8Array | undefined;
  readonly bodyHash: Uint8Array;
  readonly tellsBefore: boolean;
}

/**
 * Reads a delivery of whichever host sent it.
 *
 * @param secret what it must be signed with; undefined when that is not asked
 * @throws BODY_TOO_LARGE, INVALID_SIGNATURE, INVALID_PAYLOAD
 */
export async function readDelivery(raw: IncomingRaw, secret: string | undefined): Promise<GitDelivery> {
  const bytes = await raw.read();
  const sender = hosts.find(({ eventHeader, isFrom }) => raw.header(eventHeader) !== undefined && (!isFrom || isFrom(raw.header)));
  // Without a host's headers it is signed as GitHub signs.
  if (secret !== undefined && !isSigned(sender ?? hosts.at(-1)!, secret, bytes, raw.header)) throw new Refusal('INVALID_SIGNATURE');
  const payload = objectOf(raw.isForm ? parsedForm(bytes) : parsedJson(bytes));
  const { dialect, event } = sender ? { dialect: sender, event: raw.header(sender.eventHeader) } : unnamed(payload);
  const id = dialect?.deliveryHeaders.map((name) => raw.header(name)).find((value) => value !== undefined && value !== '');
  return {
    push: dialect && pushOf(dialect, event, payload),
    idHash: id === undefined ? undefined : deliveryHash(bytes, `${dialect!.host}:${id}`),
    bodyHash: deliveryHash(bytes),
    tellsBefore: tellsBefore(payload),
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

function isSigned({ signatures }: HostDialect, secret: string, bytes: Buffer, header: HeaderOf): boolean {
  const used = signatures.find(({ header: name }) => header(name) !== undefined);
  const given = used && header(used.header)!;
  if (given === undefined) return false;
  if (used!.isToken) return isSameText(secret, given);
  const { prefix = '' } = used!;
  return given.startsWith(prefix) && isSignedWith(secret, bytes, given.slice(prefix.length));
}

function parsedJson(bytes: Buffer): unknown {
  try {
    return parseJsonBytes(bytes, pushPayload);
  } catch (error) {
    throw error instanceof JsonBodyError ? new Refusal('INVALID_PAYLOAD') : error;
  }
}

/** A form has the JSON in `payload`, and perhaps other fields. */
function parsedForm(bytes: Buffer): unknown {
  let values: readonly string[] | undefined;
  try {
    values = parseFormBytes(bytes, 10).get('payload');
  } catch (error) {
    throw error instanceof FormBodyError ? new Refusal('INVALID_PAYLOAD') : error;
  }
  if (values?.length !== 1 || values[0] === malformedValue) throw new Refusal('INVALID_PAYLOAD');
  return parsedJson(Buffer.from(values[0]!));
}
