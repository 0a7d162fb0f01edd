import { deliveryHasher, deliveryIdHash } from '../../delivery.ts';
import type { GitPush } from '../../push.ts';
import type { Call } from '#server/handlers/call.ts';
import { bodyTurn } from '#server/http/body-turn.ts';
import { hosts, type HostDialect } from './hosts.ts';
import { PayloadReader } from './payload-reader.ts';
import { objectOf, tellsBefore, type Payload } from './payload.ts';
import { deliverySignature } from './signature.ts';

/** A delivery whose signature is checked, if one is needed. */
interface GitDelivery {
  /** Undefined for events that are not a push. */
  readonly push: GitPush | undefined;
  readonly idHash: Uint8Array | undefined;
  readonly bodyHash: Uint8Array;
  readonly isKnownByBody: boolean;
  readonly tellsBefore: boolean;
}

/**
 * Reads a delivery of any host as it arrives. It holds only the fields that are needed. Each piece takes its own turn
 * of the event loop, because a delivery may be large.
 *
 * @param secret the secret that must have signed the delivery, or undefined to accept any
 * @param readsFiles whether the files that a push changes are wanted
 * @param now milliseconds since the epoch
 * @throws BODY_TOO_LARGE, INVALID_SIGNATURE, INVALID_PAYLOAD
 */
export async function readDelivery(
  call: Pick<Call, 'raw' | 'keep'>,
  { secret, readsFiles }: { readonly secret: string | undefined; readonly readsFiles: boolean },
  now: number,
): Promise<GitDelivery> {
  const { raw } = call;
  const sender = hosts.find(
    ({ eventHeader, isFrom }) => raw.header(eventHeader) !== undefined && (!isFrom || isFrom(raw.header)),
  );
  // A delivery without a host's headers is signed as GitHub signs.
  const signature =
    secret === undefined ? undefined : deliverySignature(sender ?? hosts.at(-1)!, secret, raw.header, now);
  const hash = deliveryHasher();
  const reader = new PayloadReader(call, readsFiles);
  for await (const bytes of raw.bytes()) {
    signature?.update(bytes);
    hash.update(bytes);
    reader.write(bytes);
    await bodyTurn();
  }
  signature?.require();
  const bodyHash = hash.digest();
  const payload = objectOf(reader.end());
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
