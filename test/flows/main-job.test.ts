import { describe, expect, it } from 'vitest';

import { sha256, someBytes, upload } from '#test/support/files.ts';
import { startTestServer } from '#test/support/server.ts';

describe('a real file', () => {
  it.each([
    ['small enough for the database', 3_000],
    ['large enough for a blob', 3_000_000],
  ])('%s is uploaded, listed, inspected, downloaded and deleted', async (_, size) => {
    const server = await startTestServer();
    const account = await server.account();
    const { credential } = account;
    const bytes = someBytes(size);

    const uploaded = (await upload(server, account, { bytes, query: { prefix: 'holiday/', expire: '30d' } })).json()
      .response;
    expect(uploaded).toMatchObject({
      id: `pub/${account.id}/holiday/photo-ex30.png`,
      name: 'photo',
      prefix: 'holiday',
      size,
      private: false,
      replaced: false,
      sha256: sha256(bytes),
      expires_at: '2026-05-21T09:30:00.000Z',
    });

    const listed = (await server.send('/v1/objects?prefix=holiday/', { credential })).json().response;
    expect(listed.objects.map(({ id }: { id: string }) => id)).toEqual([uploaded.id]);
    expect(listed).not.toHaveProperty('continuationToken');

    const info = (await server.send(`/v1/objects/info?object=${uploaded.id}`, { credential })).json().response;
    expect(info).toMatchObject({
      size,
      content_type: 'image/png',
      original_name: 'photo.png',
      url: uploaded.url,
      sha256: sha256(bytes),
    });

    const fetched = await server.send(new URL(uploaded.url).pathname, { door: 'public' });
    expect(fetched.body.equals(bytes)).toBe(true);
    expect(fetched.headers.get('etag')).toBe(`"${info.etag}"`);

    const counters = async () => (await server.send('/metrics', { door: 'operator' })).body.toString();
    expect(await counters()).toContain(`cubby_received_bytes_total{door="api"} ${size}`);
    await expect.poll(counters).toContain(`cubby_sent_bytes_total{door="public"} ${size}`);

    const gone = await server.send('/v1/objects', {
      method: 'DELETE',
      credential,
      body: JSON.stringify({ object: uploaded.id }),
    });
    expect(gone.json()).toEqual({ status: 'success' });
    expect((await server.send(new URL(uploaded.url).pathname, { door: 'public' })).status).toBe(404);
    expect((await server.send(`/v1/objects/info?object=${uploaded.id}`, { credential })).json().code).toBe(
      'OBJECT_NOT_FOUND',
    );
  });
});
