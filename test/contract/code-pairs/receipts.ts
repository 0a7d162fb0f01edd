import { vi } from 'vitest';

import type { PairsOf } from './provocation.ts';

export const listReceiptKeys: PairsOf<'listReceiptKeys'> = {
  async RATE_LIMITED({ limited }) {
    for (let request = 0; request < 60; request++) await limited.send('/v1/receipts/keys');
    return limited.send('/v1/receipts/keys');
  },
  async INTERNAL_SERVER_ERROR({ server }) {
    const broken = vi.spyOn(server.running.app.stores.secrets, 'signers').mockImplementation(() => {
      throw new Error('the store broke');
    });
    try {
      return await server.send('/v1/receipts/keys');
    } finally {
      broken.mockRestore();
    }
  },
};
