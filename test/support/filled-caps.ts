import type { TestAccount, TestServer } from './server.ts';

/** Adds active share links like the one that an account has, until it has so many. */
export async function sharesHeld(server: TestServer, account: TestAccount, places: number): Promise<void> {
  const { metadata } = server.running.app.stores;
  const [listed] = await metadata.read.shares.listOf(account.id, server.clock.now(), 1);
  const { fileExpiresAt: _, fileName: _name, ...share } = listed!;
  await metadata.atomically(async (tx) => {
    const count = await tx.shares.countActive(account.id, tx.now);
    for (let at = count; at < places; at++) await tx.shares.add({ ...share, idHash: `${share.idHash}-${at}` });
  });
}

/** Opens multipart uploads over S3 like the one that an account has, until it has so many. */
export async function s3UploadsHeld(server: TestServer, account: TestAccount, places: number): Promise<void> {
  const { metadata } = server.running.app.stores;
  const open = await metadata.read.chunkedUploads.openOf(account.id, 0);
  await metadata.atomically(async (tx) => {
    for (let at = open.length; at < places; at++)
      await tx.chunkedUploads.open({ ...open[0]!, id: `${open[0]!.id}-${at}` }, places, 0);
  });
}
