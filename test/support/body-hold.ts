import { BodyMemory, type BodyHold, type BodyHolder, type HeldLimits } from '#server/http/body-memory.ts';

/** Returns an account of bodies with these limits for each holder. Default: none. */
export function bodyMemory({
  maxBytes = Infinity,
  maxBytesOfAddress = Infinity,
  onRefused = () => {},
}: Partial<HeldLimits> & { readonly onRefused?: (holder: string) => void } = {}): BodyMemory {
  const each = { maxBytes, maxBytesOfAddress };
  const slowest = { minBytes: 1, everyMs: 60_000 };
  return new BodyMemory({ limits: { caller: each, anonymous: each, form: each }, slowest, onRefused });
}

/** Returns an account without a limit, for one body. */
export function openHold(): BodyHold {
  return bodyMemory().open('anonymous', '192.0.2.1', () => {});
}

/** Runs `work` while there is no room for bodies of these holders. */
export async function whileFull<T>(
  memory: BodyMemory,
  holders: readonly BodyHolder[],
  work: () => Promise<T>,
): Promise<T> {
  const holds: BodyHold[] = [];
  for (const holder of holders)
    for (const piece of [1_048_576, 65_536, 1024]) {
      for (;;) {
        const hold = memory.open(holder, `filled ${holds.length}`, () => {});
        hold.complete();
        try {
          hold.take(piece);
        } catch {
          break;
        }
        holds.push(hold);
      }
    }
  try {
    return await work();
  } finally {
    for (const hold of holds) hold.release();
  }
}
