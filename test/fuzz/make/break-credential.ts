import type { Draft } from '../draft.ts';
import type { World } from '../world.ts';
import { nastyText } from './nasty.ts';

/** Returns no credential, a damaged one, or one that is for something else. */
export function otherCredential(draft: Draft, world: World): string | undefined {
  const { random } = world;
  const own = draft.credential ?? 'cbk_none';
  return random.pick([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${Buffer.from('a:b').toString('base64')}`,
    nastyText(random),
    own.slice(0, -1),
    `${own}x`,
    own.toUpperCase(),
    `bearer  ${own.replace('Bearer ', '')}`,
    world.operator,
    world.some('credential'),
    world.some('credential'),
    world.some('endedCredential'),
    world.some('uploadToken'),
    world.some('uploadToken'),
    world.shared.some('victimCredential', random),
    'x'.repeat(5000),
  ]);
}

/** Breaks the signature of a request to the S3 gateway. Returns what is broken. */
export function breakSigning(draft: Draft, { random }: World): string {
  const { signing } = draft;
  const kind = random.pick(['none', 'secret', 'key', 'header', 'presigned']);
  if (kind === 'none') draft.signing = undefined;
  if (kind === 'secret') draft.signing = { ...signing!, secretAccessKey: 'x' };
  if (kind === 'key') draft.signing = { ...signing!, accessKeyId: random.pick(['x', '', 'AKIA/x', 'é']) };
  if (kind === 'presigned') draft.signing = { ...signing!, isPresigned: true };
  if (kind === 'header') {
    draft.signing = undefined;
    draft.headers.push([
      'Authorization',
      random.pick([
        'AWS4-HMAC-SHA256',
        'AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host, Signature=x',
        'AWS a:b',
        'AWS4-HMAC-SHA256 Credential=,SignedHeaders=,Signature=',
        nastyText(random),
      ]),
    ]);
  }
  return kind;
}
