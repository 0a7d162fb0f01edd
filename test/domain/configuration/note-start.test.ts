import { describe, expect, it } from 'vitest';

import { noteStart } from '#server/domain/configuration/note-start.ts';
import { openTestStores } from '#test/support/stores.ts';

describe('noteStart()', () => {
  it('stores the settings of the first start, and records only later differences', async () => {
    const stores = await openTestStores();
    const entries = () => stores.metadata.read.audit.scan({ after: 0, limit: 10 });
    await noteStart(stores, { CUBBY_LOG: 'info', CUBBY_HOST: '127.0.0.1', CUBBY_OLD: 'a' });
    await noteStart(stores, { CUBBY_LOG: 'info', CUBBY_HOST: '127.0.0.1', CUBBY_OLD: 'a' });
    expect(await entries()).toEqual([]);

    await noteStart(stores, { CUBBY_LOG: 'warn', CUBBY_HOST: '127.0.0.1', CUBBY_NEW: 'b' });
    expect(await entries()).toMatchObject([
      {
        action: 'configuration.changed',
        by: { kind: 'server' },
        details: {
          CUBBY_LOG: { from: 'info', to: 'warn' },
          CUBBY_OLD: { from: 'a', to: null },
          CUBBY_NEW: { from: null, to: 'b' },
        },
      },
    ]);
    // It is compared with the last start, not with the first.
    await noteStart(stores, { CUBBY_LOG: 'warn', CUBBY_HOST: '127.0.0.1', CUBBY_NEW: 'b' });
    expect(await entries()).toHaveLength(1);
  });
});
