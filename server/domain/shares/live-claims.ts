/** An answer that is sending bytes of a capped link. */
export interface LiveClaim {
  /** The next byte that it will send. */
  position(): number;
  /** It ends before this byte, which another answer sends. */
  cutAt(byte: number): void;
}

/** The answers of this process that send bytes of capped links: how far each has come stands in memory alone, and is written down at its end. */
export interface LiveClaims {
  /** An answer that is about to claim bytes from `start` on. */
  begin(claimId: string, start: number): void;
  /** It has its bytes now; what was cut off it meanwhile, is. */
  attach(claimId: string, claim: LiveClaim): void;
  /** To be called when its end is written down. */
  remove(claimId: string): void;
  positionOf(claimId: string): number | undefined;
  cutAt(claimId: string, byte: number): void;
  /** Resolves when that answer has ended, or after `atMostMs`. */
  ended(claimId: string, atMostMs: number): Promise<void>;
}

/** The claims of one process. */
export function liveClaims(): LiveClaims {
  const claims = new Map<string, { readonly start: number; end: number; claim?: LiveClaim }>();
  const waiting = new Map<string, Set<() => void>>();
  return {
    begin: (claimId, start) => void claims.set(claimId, { start, end: Infinity }),
    attach(claimId, claim) {
      const begun = claims.get(claimId);
      if (!begun) return;
      begun.claim = claim;
      if (begun.end < Infinity) claim.cutAt(begun.end);
    },
    remove(claimId) {
      claims.delete(claimId);
      for (const resolve of waiting.get(claimId) ?? []) resolve();
      waiting.delete(claimId);
    },
    positionOf(claimId) {
      const begun = claims.get(claimId);
      return begun && (begun.claim?.position() ?? begun.start);
    },
    cutAt(claimId, byte) {
      const begun = claims.get(claimId);
      if (!begun) return;
      begun.end = Math.min(begun.end, byte);
      begun.claim?.cutAt(byte);
    },
    ended(claimId, atMostMs) {
      if (!claims.has(claimId)) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(done, atMostMs);
        const resolvers = waiting.get(claimId) ?? new Set();
        function done(): void {
          clearTimeout(timer);
          resolvers.delete(done);
          resolve();
        }
        waiting.set(claimId, resolvers.add(done));
      });
    },
  };
}
