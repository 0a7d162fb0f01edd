import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { postForm } from '#test/s3/signed-request.ts';
import { textOf } from '#test/s3/exchange.ts';
import { gatewayOf, startGateway, type Gateway } from '#test/s3/gateway.ts';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});

afterAll(() => gateway.stop());

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

interface Form {
  readonly fields?: Readonly<Record<string, string>>;
  readonly conditions?: readonly unknown[];
  readonly expiration?: string;
  readonly content?: string;
  readonly filename?: string;
  readonly bucket?: string;
  /** More fields of the policy. */
  readonly policy?: Readonly<Record<string, unknown>>;
  /** Changes fields after the policy was signed. */
  readonly after?: (fields: Record<string, string>) => void;
  readonly from?: Gateway;
}

const anyKey = [{ bucket: 'private' }, ['starts-with', '$key', '']];

async function post({
  fields = {},
  conditions = anyKey,
  expiration = inAnHour(),
  content = 'form content',
  filename = 'a.txt',
  bucket = 'private',
  policy,
  after,
  from = gateway,
}: Form) {
  const all = postForm(from, { expiration, conditions, ...policy }, { key: 'posted', ...fields });
  after?.(all);
  const form = new FormData();
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  form.append('file', new File([content], filename, { type: 'text/plain' }));
  const answer = await fetch(`${from.url}/${bucket}`, { method: 'POST', body: form, redirect: 'manual' });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    short: textOf(text, 'Code') === undefined ? String(answer.status) : `${answer.status} ${textOf(text, 'Code')}`,
  };
}

describe('PostObject', () => {
  test.each([
    'multipart/form-data',
    'multipart/form-data; a; boundary=b',
    `multipart/form-data; boundary=${'b'.repeat(71)}`,
  ])('refuses a malformed form (%s) before it identifies the sender', async (type) => {
    const answer = await fetch(`${gateway.url}/private`, {
      method: 'POST',
      body: 'x',
      headers: { 'Content-Type': type },
    });
    expect([answer.status, textOf(await answer.text(), 'Code')]).toEqual([400, 'MalformedPOSTRequest']);
  });

  test('refuses an unsigned POST of another type, and names the type of a form', async () => {
    const answer = await fetch(`${gateway.url}/private`, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    const text = await answer.text();
    expect([answer.status, textOf(text, 'Code'), textOf(text, 'Condition')]).toEqual([
      412,
      'PreconditionFailed',
      expect.stringContaining('multipart/form-data'),
    ]);
  });

  test.each([
    ['a field over 64 KiB', 1, 65_537],
    ['fields of 128 KiB together', 3, 50_000],
  ])('refuses %s before it identifies the sender', async (_, count, sizeBytes) => {
    const form = new FormData();
    for (let number = 0; number < count; number++) form.append(`x-${number}`, 'x'.repeat(sizeBytes));
    form.append('file', new File(['x'], 'a.txt'));
    const answer = await fetch(`${gateway.url}/private`, { method: 'POST', body: form });
    expect([answer.status, textOf(await answer.text(), 'Code')]).toEqual([400, 'MaxPostPreDataLengthExceeded']);
  });

  test.each(['', 'upload'])('refuses a file in the field %j', async (name) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(
      postForm(gateway, { expiration: inAnHour(), conditions: anyKey }, { key: 'elsewhere' }),
    ))
      form.append(field, value);
    form.append(name, new File(['x'], 'a.txt'));
    const answer = await fetch(`${gateway.url}/private`, { method: 'POST', body: form });
    expect([answer.status, textOf(await answer.text(), 'Code')]).toEqual([400, 'MalformedPOSTRequest']);
    expect(await gateway.info('private', 'elsewhere')).toBeUndefined();
  });

  test('accepts fields of nearly 128 KiB together', async () => {
    const fields = { 'x-ignore-a': 'x'.repeat(62_000), 'x-ignore-b': 'x'.repeat(62_000) };
    expect((await post({ fields })).short).toBe('204');
  });

  test('stores the file of a form with a policy, with the properties in its fields', async () => {
    const { status, headers } = await post({
      fields: { key: 'dir/${filename}', 'Content-Type': 'text/x-form', 'x-amz-meta-by': 'form' },
      conditions: [
        { bucket: 'private' },
        ['starts-with', '$key', 'dir/'],
        ['eq', '$Content-Type', 'text/x-form'],
        { 'x-amz-meta-by': 'form' },
        ['content-length-range', 1, 100],
      ],
      filename: 'ü b.txt',
    });
    expect(status).toBe(204);
    expect(headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    const info = await gateway.info('private', 'dir/ü b.txt');
    expect(info).toMatchObject({ size: 12, metadata: { by: 'form' } });
  });

  test('takes only a content type for a list: a comma in another field is a part of its text', async () => {
    const conditions = [{ bucket: 'private' }, ['starts-with', '$key', 'dir/']];
    expect((await post({ fields: { key: 'dir/a,b' }, conditions })).status).toBe(204);
  });

  test('streams a large file to the store', async () => {
    const content = 'x'.repeat(3_000_000);
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    try {
      expect((await post({ fields: { key: 'large' }, content })).status).toBe(204);
    } finally {
      process.off('warning', note);
    }
    // A listener for each chunk would print a warning.
    expect(warnings).toEqual([]);
    expect((await gateway.info('private', 'large')).size).toBe(content.length);
  });

  test('responds as the form requests: with 200, an XML document, or a redirect', async () => {
    const conditions = [
      ...anyKey,
      ['starts-with', '$success_action_status', ''],
      ['starts-with', '$success_action_redirect', ''],
    ];
    const fields = (more: Record<string, string>) => ({
      success_action_status: '',
      success_action_redirect: '',
      ...more,
    });
    expect((await post({ conditions, fields: fields({ success_action_status: '200' }) })).status).toBe(200);
    const created = await post({ conditions, fields: fields({ key: 'a b', success_action_status: '201' }) });
    expect(created.status).toBe(201);
    expect([textOf(created.text, 'Location'), textOf(created.text, 'Bucket'), textOf(created.text, 'Key')]).toEqual([
      `${gateway.url}/private/a%20b`,
      'private',
      'a b',
    ]);
    const away = await post({
      conditions,
      fields: fields({ success_action_redirect: 'https://example.invalid/done?x=1' }),
    });
    expect(away.status).toBe(303);
    expect(away.headers.get('location')).toMatch(
      /^https:\/\/example\.invalid\/done\?x=1&bucket=private&key=posted&etag=%22[0-9a-f]{32}%22$/,
    );
    expect(
      (await post({ conditions, fields: fields({ success_action_redirect: 'javascript:alert(1)' }) })).status,
    ).toBe(204);
  });

  const refusals: Array<[string, Form, string]> = [
    ['a policy that has expired', { expiration: new Date(Date.now() - 1000).toISOString() }, '403 AccessDenied'],
    ['a condition that does not hold', { conditions: [{ bucket: 'private' }, { key: 'other' }] }, '403 AccessDenied'],
    [
      'a key outside of what it may begin with',
      { conditions: [{ bucket: 'private' }, ['starts-with', '$key', 'user/']] },
      '403 AccessDenied',
    ],
    ['another bucket', { bucket: 'public' }, '403 AccessDenied'],
    ['a field that no condition names', { fields: { 'x-amz-meta-added': '1' } }, '403 AccessDenied'],
    [
      'a field that was added afterwards',
      { after: (fields) => void (fields['x-amz-meta-added'] = '1') },
      '403 AccessDenied',
    ],
    [
      'a changed policy',
      {
        after: (fields) =>
          void (fields.policy = Buffer.from(JSON.stringify({ expiration: inAnHour(), conditions: [] })).toString(
            'base64',
          )),
      },
      '403 SignatureDoesNotMatch',
    ],
    ['no signature', { after: (fields) => void delete fields['x-amz-signature'] }, '400 InvalidArgument'],
    ...['policy', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date'].map((name): [string, Form, string] => [
      `no ${name}`,
      { after: (fields) => void delete fields[name] },
      '400 InvalidArgument',
    ]),
    [
      'nothing of a signature',
      {
        after: (fields) =>
          ['policy', 'x-amz-signature', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date'].forEach(
            (name) => void delete fields[name],
          ),
      },
      '403 AccessDenied',
    ],
    ['a date that is none', { after: (fields) => void (fields['x-amz-date'] = 'today') }, '400 InvalidArgument'],
    [
      'a type of several, of which one does not begin so',
      {
        fields: { 'Content-Type': 'text/plain, image/png' },
        conditions: [...anyKey, ['starts-with', '$Content-Type', 'text/']],
      },
      '403 AccessDenied',
    ],
    [
      'more than a hundred types',
      {
        fields: { 'Content-Type': 'text/plain,'.repeat(100) },
        conditions: [...anyKey, ['starts-with', '$Content-Type', '']],
      },
      '403 AccessDenied',
    ],
    [
      'tags',
      { fields: { tagging: '<Tagging/>' }, conditions: [...anyKey, ['starts-with', '$tagging', '']] },
      '501 NotImplemented',
    ],
    ['a policy with a field that nobody knows', { policy: { extra: 1 } }, '400 InvalidPolicyDocument'],
    ['no key', { after: (fields) => void delete fields.key }, '400 InvalidArgument'],
    ['a file that is too large', { conditions: [...anyKey, ['content-length-range', 0, 5]] }, '400 EntityTooLarge'],
    ['a file that is too small', { conditions: [...anyKey, ['content-length-range', 100, 200]] }, '400 EntityTooSmall'],
    ['conditions that are none', { conditions: [...anyKey, ['like', '$key', 'a']] }, '400 InvalidPolicyDocument'],
    ['no conditions at all', { conditions: [] }, '403 AccessDenied'],
    [
      'the bucket legacy',
      { bucket: 'legacy', conditions: [{ bucket: 'legacy' }, ['starts-with', '$key', '']] },
      '403 AccessDenied',
    ],
    [
      'a bucket that is none',
      { bucket: 'other', conditions: [{ bucket: 'other' }, ['starts-with', '$key', '']] },
      '404 NoSuchBucket',
    ],
    [
      'an MD5 of other bytes',
      {
        fields: { 'content-md5': '1B2M2Y8AsgTpgAmY7PhCfg==' },
        conditions: [...anyKey, ['starts-with', '$content-md5', '']],
      },
      '400 BadDigest',
    ],
    [
      'a type that no header can be',
      { fields: { 'Content-Type': 'a/b\r\nx-evil: 1' }, conditions: [...anyKey, ['starts-with', '$Content-Type', '']] },
      '400 InvalidArgument',
    ],
    [
      'metadata that no header can be named',
      { fields: { 'x-amz-meta-a b': '1' }, conditions: [...anyKey, { 'x-amz-meta-a b': '1' }] },
      '400 InvalidArgument',
    ],
    [
      'an ACL that the bucket does not have',
      { fields: { acl: 'public-read' }, conditions: [...anyKey, { acl: 'public-read' }] },
      '400 AccessControlListNotSupported',
    ],
    [
      'an ACL that the public bucket does not have',
      {
        bucket: 'public',
        fields: { acl: 'private' },
        conditions: [{ bucket: 'public' }, ['starts-with', '$key', ''], { acl: 'private' }],
      },
      '400 AccessControlListNotSupported',
    ],
    [
      'a grant that the bucket does not have',
      {
        fields: { 'x-amz-grant-read': 'id="somebody"' },
        conditions: [...anyKey, { 'x-amz-grant-read': 'id="somebody"' }],
      },
      '400 AccessControlListNotSupported',
    ],
  ];

  test.each([
    ['private', { acl: 'private' }],
    ['public', { acl: 'public-read' }],
    ['public', { 'x-amz-grant-read': 'uri="http://acs.amazonaws.com/groups/global/AllUsers"' }],
  ] as const)('accepts an ACL that matches the bucket %s: %j', async (bucket, fields) => {
    expect(
      (await post({ bucket, fields, conditions: [{ bucket }, ['starts-with', '$key', ''], { ...fields }] })).short,
    ).toBe('204');
  });

  test.each(refusals)('refuses %s, and stores nothing', async (_name, form, expected) => {
    const other = await gateway.other();
    expect((await post({ ...form, from: other })).short).toBe(expected);
    for (const bucket of ['public', 'private'] as const) expect(await other.info(bucket, 'posted')).toBeUndefined();
  });

  test.each([
    [0, 5, 'larger than the 5 bytes that content-length-range'],
    [100, 200, 'has 12 bytes, and content-length-range in the policy of the form asks for at least 100'],
  ])('names content-length-range %i to %i when it refuses', async (least, most, words) => {
    const { text } = await post({ conditions: [...anyKey, ['content-length-range', least, most]] });
    expect(textOf(text, 'Message')).toContain(words);
  });

  test('shows the signed text when the signature does not match', async () => {
    const { text } = await post({ after: (fields) => void (fields['x-amz-signature'] = 'another') });
    const policy = textOf(text, 'StringToSign')!;
    expect(JSON.parse(Buffer.from(policy, 'base64').toString()).conditions).toContainEqual({ bucket: 'private' });
    expect([textOf(text, 'AWSAccessKeyId'), textOf(text, 'SignatureProvided')]).toEqual([
      gateway.accessKeyId,
      'another',
    ]);
    expect(Buffer.from(textOf(text, 'StringToSignBytes')!.replaceAll(' ', ''), 'hex').toString()).toBe(policy);
  });

  test('accepts several content types that all match the policy', async () => {
    const fields = { 'Content-Type': 'text/plain, text/html' };
    expect((await post({ fields, conditions: [...anyKey, ['starts-with', '$Content-Type', 'text/']] })).short).toBe(
      '204',
    );
  });

  test('refuses an API key that cannot write, and a file beyond its prefixes', async () => {
    const { server, account } = gateway;
    const reader = await gatewayOf(server, {
      ...account,
      credential: await server.key(account, { scopes: ['blob:read'] }),
    });
    const within = await gatewayOf(server, {
      ...account,
      credential: await server.key(account, { scopes: ['blob:write'], prefixes: ['in'] }),
    });
    expect((await post({ from: reader })).short).toBe('403 AccessDenied');
    expect((await post({ from: within, fields: { key: 'out/a' } })).short).toBe('403 AccessDenied');
    expect((await post({ from: within, fields: { key: 'in/a' } })).short).toBe('204');
  });

  test.each([
    ['not a form', 'text'],
    ['a form without an end', '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\na'],
    [
      'a field without a name',
      '--b\r\nContent-Disposition: form-data\r\n\r\na\r\n--b\r\nContent-Disposition: form-data; name="file"; ' +
        'filename="a"\r\n\r\na\r\n--b--\r\n',
    ],
    ['a form without a file', '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\na\r\n--b--\r\n'],
  ])('%s is MalformedPOSTRequest', async (_name, body) => {
    const answer = await fetch(`${gateway.url}/private`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body,
    });
    expect(answer.status).toBe(400);
    expect(textOf(await answer.text(), 'Code')).toBe('MalformedPOSTRequest');
  });

  test('stores nothing when a form is cut off in its file', async () => {
    const fields = postForm(gateway, { expiration: inAnHour(), conditions: anyKey }, { key: 'cut' });
    const parts = Object.entries(fields).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const body = `${parts.join('')}--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nsome bytes`;
    const answer = await fetch(`${gateway.url}/private`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body,
    });
    expect(answer.status).toBe(400);
    expect(await gateway.info('private', 'cut')).toBeUndefined();
  });
});
