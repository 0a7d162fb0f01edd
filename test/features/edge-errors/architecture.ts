import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  request: [
    'server/features/edge-errors/commands/edge-log/log-counter.ts',
    'server/features/edge-errors/error-breakdown.ts',
    'server/features/edge-errors/kind-sums.ts',
    'server/features/edge-errors/tally.ts',
  ],
  observations: [
    // The paths that are kept for errors. The limit applies to each process.
    'server/features/edge-errors/named-kinds.ts',
  ],
  unsaved: [
    // Counts of errors, for a quarter of a second.
    'server/features/edge-errors/door-errors.ts',
  ],
};
