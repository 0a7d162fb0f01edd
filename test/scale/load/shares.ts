import { formWith, sha256, someBytes } from '#test/support/files.ts';
import type { TestAccount } from '#test/support/server.ts';
import type { Replicas } from '../replicas.ts';
import type { Load } from './load.ts';

const maxDownloads = 25;

/** Spends links with a cap, several clients at once. None may be downloaded more often than its cap. */
export function shareLoad(account: TestAccount, { clients = 4 } = {}): Load {
  const wrong: string[] = [];
  const counts = { links: 0, downloads: 0, unsure: 0 };

  /** Opens a link until it is spent. Returns how many whole downloads came. */
  const spend = async (replicas: Replicas, id: string, hash: string, signal: AbortSignal): Promise<number> => {
    let whole = 0;
    const open = async (): Promise<void> => {
      while (!signal.aborted) {
        const { status, bytes, json } = await replicas.send(`/s/${id}`, { door: 'files' });
        if (status === 200 && sha256(bytes) === hash) whole++;
        else if (json?.code === 'SHARE_EXHAUSTED') return;
        else return void wrong.push(`link ${id} answers ${status} ${json?.code ?? 'with other bytes'}`);
      }
    };
    await Promise.all(Array.from({ length: clients }, open));
    return whole;
  };

  return {
    async run(replicas, signal) {
      const { credential } = account;
      for (let round = 0; !signal.aborted; round++) {
        const bytes = someBytes(round % 2 === 0 ? 3000 : 60_000);
        const uploaded = await replicas.send(`/v1/objects?name=shared-${round}&private=true`, {
          method: 'POST',
          credential,
          body: formWith(bytes),
        });
        if (uploaded.status !== 200) {
          wrong.push(`upload of shared-${round}: ${uploaded.status} ${uploaded.bytes}`);
          continue;
        }
        const object = uploaded.json.response.id as string;
        const body = JSON.stringify({ object, max_downloads: maxDownloads });
        const created = await replicas.send('/v1/shares', { method: 'POST', credential, body });
        if (created.status !== 201) {
          wrong.push(`link to shared-${round}: ${created.status} ${created.bytes}`);
          continue;
        }
        const retriesBefore = replicas.retries;
        const whole = await spend(replicas, created.json.response.id as string, sha256(bytes), signal);
        counts.links++;
        counts.downloads += whole;
        if (whole > maxDownloads) wrong.push(`a link for ${maxDownloads} downloads gave ${whole}`);
        if (signal.aborted || whole === maxDownloads) continue;
        // A download that broke off may count.
        if (replicas.retries === retriesBefore) wrong.push(`a link for ${maxDownloads} downloads gave only ${whole}`);
        counts.unsure += maxDownloads - whole;
      }
    },
    check: async () => wrong.splice(0),
    summary: () => `${counts.links} links gave ${counts.downloads} downloads, ${counts.unsure} broke off and count`,
  };
}
