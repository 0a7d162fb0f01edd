import { describe, expect, it } from 'vitest';

import type { NewEvent } from '#server/domain/events/event.ts';
import { seenEvent } from '#server/domain/events/seen-event.ts';
import { wireEvent } from '#server/features/webhooks/handlers/wire-event.ts';
import { fileDetails } from '#test/support/file-details.ts';

const accountId = '204815162342108999';
const id = `prv/${accountId}/a.pdf`;
const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const instant = '2026-01-02T03:04:05.678Z';

/** The text of what an event says, as clients get it. */
function told(event: Pick<NewEvent, 'type' | 'data'>): string {
  return JSON.stringify(wireEvent({ accountId, key: null, sequence: 1, at, ...event } as never).data);
}

const file = JSON.stringify({
  id,
  size: 3,
  etag: '6f5902ac237024bdd0c176cb93063dc4',
  sha256: null,
  content_type: 'application/pdf',
  private: true,
  created_at: '2023-11-14T22:13:20.000Z',
  expires_at: null,
  original_name: null,
  metadata: {},
});
const share = { createdAt: at, expiresAt: at + 1, maxDownloads: 3, remainingDownloads: null };
const wireShare =
  `"share":{"created_at":"${instant}","expires_at":"2026-01-02T03:04:05.679Z",` +
  '"max_downloads":3,"remaining_downloads":null}';
const fileRequest = {
  ...({ id: 'req_1', title: 'T', prefix: 'p', state: 'open', files: 1, bytes: 2, senders: 3 } as const),
  ...{ maxFiles: 4, maxBytes: null, deadlineAt: at },
};
const wireRequest =
  '"file_request":{"id":"req_1","title":"T","prefix":"p","state":"open","files":1,"bytes":2,"senders":3,' +
  `"max_files":4,"max_bytes":null,"deadline":"${instant}"}`;
const deploy = { id: 'dep_1', appId: 'app_1', state: 'running', branch: 'main', commit: 'c', message: null, tries: 1 };

describe('wireEvent()', () => {
  it('names the event, its account and its instant', () => {
    const data = { webhook: 'wh_1' };
    expect(JSON.stringify(wireEvent({ accountId, key: null, sequence: 5, at, type: 'webhook.test', data }))).toBe(
      `{"id":"evt_${accountId}_5_${at.toString(36)}","type":"webhook.test","timestamp":"${instant}",` +
        `"account_id":"${accountId}","data":{"webhook":"wh_1"}}`,
    );
  });

  it.each<[Pick<NewEvent, 'type' | 'data'>, string]>([
    [{ type: 'object.created', data: fileDetails(id) }, `{"object":${file},"auth":"api_key"}`],
    [
      { type: 'object.created', data: fileDetails(id, { uploadTokenId: 'tok_1', callbackMetadata: { user: 'u' } }) },
      `{"object":${file},"auth":"api_key","upload_token":{"id":"tok_1"},"callback_metadata":{"user":"u"}}`,
    ],
    [
      { type: 'object.created', data: fileDetails(id, { fileRequestId: 'req_1' }) },
      `{"object":${file},"auth":"api_key","file_request":{"id":"req_1"}}`,
    ],
    [
      { type: 'object.moved', data: fileDetails(id, { from: 'x', isReplaced: false }) },
      `{"object":${file},"auth":"api_key","from":"x","replaced":false}`,
    ],
    [
      { type: 'object.updated', data: fileDetails(id, { from: 'x', changed: ['private'] }) },
      `{"object":${file},"auth":"api_key","from":"x","changed":["private"]}`,
    ],
    [
      { type: 'object.visibility_changed', data: fileDetails(id, { from: 'x', isUndone: true }) },
      `{"object":${file},"auth":"api_key","from":"x","undone":true}`,
    ],
    [
      { type: 'upload.started', data: { object: { id }, auth: 's3', sizeBytes: null } },
      `{"object":{"id":"${id}"},"size":null,"auth":"s3"}`,
    ],
    [
      {
        type: 'upload.completed',
        data: { object: { id }, auth: 's3', sizeBytes: 9, parts: 2, uploadTokenId: 'tok_1' },
      },
      `{"object":{"id":"${id}"},"size":9,"parts":2,"auth":"s3","upload_token":{"id":"tok_1"}}`,
    ],
    [{ type: 'share.visited', data: { object: { id }, share } }, `{"object":{"id":"${id}"},${wireShare}}`],
    [
      { type: 'share.ended', data: { object: { id }, share, reason: 'spent', auth: 'rule' } },
      `{"object":{"id":"${id}"},${wireShare},"reason":"spent","auth":"rule"}`,
    ],
    [
      { type: 'share.updated', data: { object: { id }, share, isUndone: true, auth: 'system' } },
      `{"object":{"id":"${id}"},${wireShare},"undone":true,"auth":"system"}`,
    ],
    [{ type: 'file_request.created', data: { fileRequest, auth: 'api_key' } }, `{${wireRequest},"auth":"api_key"}`],
    [
      {
        type: 'file_request.received',
        data: {
          fileRequest,
          object: { id, sizeBytes: 3, sha256: null },
          sender: { name: null, folder: 'f' },
          name: 'a.pdf',
        },
      },
      `{${wireRequest},"object":{"id":"${id}","size":3,"sha256":null},` +
        '"sender":{"name":null,"folder":"f"},"name":"a.pdf"}',
    ],
    [
      { type: 'file_request.ended', data: { fileRequest, reason: 'closed', auth: 'api_key' } },
      `{${wireRequest},"reason":"closed","auth":"api_key"}`,
    ],
    [
      {
        type: 'upload_token.used_up',
        data: { uploadToken: { id: 'tok_1', keyId: 'key_1', maxUses: 2, expiresAt: at } },
      },
      `{"upload_token":{"id":"tok_1","key_id":"key_1","max_uses":2,"expires_at":"${instant}"}}`,
    ],
    [
      { type: 'quota.reached', data: { percent: 80, usedBytes: 8, quotaBytes: 10 } },
      `{"percent":80,"used_bytes":8,"quota_bytes":10}`,
    ],
    [
      {
        type: 'ai.budget_reached',
        data: { percent: 80, budget: 'daily_spend', limit: 1, used: 2, startsAt: at, resetsAt: at },
      },
      `{"percent":80,"budget":"daily_spend","limit":1,"used":2,"starts_at":"${instant}","resets_at":"${instant}"}`,
    ],
    [
      { type: 'key.created', data: { key: { id: 'key_1', name: 'K' }, auth: 'api_key', isRegenerated: true } },
      `{"key":{"id":"key_1","name":"K"},"auth":"api_key","regenerated":true}`,
    ],
    [
      { type: 'deploy.started', data: { deploy: { ...deploy, state: 'running' } } },
      '{"deploy":{"id":"dep_1","app_id":"app_1","state":"running","branch":"main","commit":"c",' +
        '"message":null,"tries":1}}',
    ],
    [
      {
        type: 'deploy.filtered',
        data: { push: { appId: 'app_1', branch: 'b', commit: 'c', message: null, reason: 'paths' } },
      },
      `{"push":{"app_id":"app_1","branch":"b","commit":"c","message":null,"reason":"paths"}}`,
    ],
  ])('makes the wire form of %j', (event, text) => {
    expect(told(event)).toBe(text);
  });

  it('leaves out the files that may not be seen', () => {
    const data = fileDetails(id, { from: `prv/${accountId}/photos/a.pdf`, isReplaced: true });
    const event = { accountId, type: 'object.moved', key: 'a.pdf', sequence: 1, at, data } as const;
    const seen = (prefix: string) => seenEvent(event, { prefixes: [prefix] as never, seesAccount: false });
    expect(wireEvent(seen('photos')!).data).toEqual({ auth: 'api_key', from: data.from, replaced: true });
    expect(seen('others')).toBeUndefined();
  });
});
