import { formWith, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import type { Replicas } from '../replicas.ts';
import type { Load } from './load.ts';

const maxUses = 20;

/** Uploads with tokens until they are used up. No token may be used more often than it allows. */
export function tokenLoad(account: TestAccount, { clients = 4 } = {}): Load {
  const wrong: string[] = [];
  /** Tokens that were used up while nothing failed, and those where a broken connection leaves it open. */
  const counts = { tokens: 0, uses: 0, broken: 0 };
  /** Tokens with uses that a killed replica held. They come back when its lease has lapsed. */
  const unsure: Array<{ readonly token: string; readonly round: number; uses: number }> = [];

  const use = (replicas: Replicas, token: string, name: string) =>
    replicas.send(`/v1/objects?name=${name}`, { method: 'POST', credential: token, body: formWith(someBytes(600)) });

  return {
    async run(replicas, signal) {
      for (let round = 0; !signal.aborted; round++) {
        const body = JSON.stringify({ max_uses: maxUses });
        const minted = await replicas.send('/v1/upload-tokens', {
          method: 'POST',
          credential: account.credential,
          body,
        });
        if (minted.status !== 200) {
          wrong.push(`mint of token ${round}: ${minted.status} ${minted.bytes}`);
          continue;
        }
        const token = minted.json.response.token as string;
        let uses = 0;
        const retriesBefore = replicas.retries;
        const upload = async (client: number): Promise<void> => {
          for (let count = 0; !signal.aborted; count++) {
            const { status, json } = await use(replicas, token, `token-${round}-${client}-${count}`);
            if (status === 200) uses++;
            else if (json?.code === 'UPLOAD_TOKEN_USED') return;
            else return void wrong.push(`a token answers ${status} ${json?.code}`);
          }
        };
        await Promise.all(Array.from({ length: clients }, (_, client) => upload(client)));
        counts.tokens++;
        counts.uses += uses;
        if (uses > maxUses) wrong.push(`a token for ${maxUses} uploads took ${uses}`);
        if (uses === maxUses || signal.aborted) continue;
        if (replicas.retries === retriesBefore) wrong.push(`a token for ${maxUses} uploads took only ${uses}`);
        unsure.push({ token, round, uses });
      }
    },
    async check(replicas) {
      for (const one of unsure) {
        for (;;) {
          const { status } = await use(replicas, one.token, `token-${one.round}-again-${one.uses}`);
          if (status !== 200) break;
          one.uses++;
        }
        if (one.uses > maxUses) wrong.push(`a token for ${maxUses} uploads took ${one.uses} in the end`);
        counts.broken += maxUses - one.uses;
      }
      unsure.length = 0;
      return wrong.splice(0);
    },
    summary: () =>
      `${counts.tokens} tokens took ${counts.uses} uploads, ${counts.broken} uses broke off after they counted`,
  };
}
