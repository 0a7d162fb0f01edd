import { parseCursor } from '#server/domain/sequence-cursor.ts';
import { ignored, refusedChange } from '#server/features/deploys/handlers/git/push-replies.ts';
import { readDelivery } from '#server/features/deploys/handlers/git/read-delivery.ts';
import { systemClock } from '#server/stores/system/clock.ts';
import type { MockPart } from '../parts.ts';
import { mockSecrets } from '../stateless.ts';

export const part: MockPart = {
  lateChecks: {
    async listDeployments({ appId, cursor }: { readonly appId: string; readonly cursor: string | undefined }) {
      if (cursor !== undefined) parseCursor(mockSecrets, { purpose: 'deploys-cursor', ownerId: appId }, cursor);
    },
    async receiveGitPush(_command, call) {
      const { push } = await readDelivery(call, { secret: undefined, readsFiles: false }, systemClock.now());
      if (!push) return ignored;
      return push.changes.some(({ kind }) => kind === 'branch') ? undefined : refusedChange(push.changes[0]!);
    },
  },
};
