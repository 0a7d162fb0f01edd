import type { S3Access } from '#dist/modules/client/index.js';

import { words } from '../../app/words.ts';

/** Where a key reads and writes. */
export function AccessFacts({ read, write }: { readonly read: S3Access; readonly write: S3Access }) {
  const { s3 } = words();
  const textOf = (access: S3Access) =>
    access === true
      ? s3.everywhere
      : access === false
        ? s3.nowhere
        : s3.within(access.map((prefix) => prefix.replace(/\/?$/, '/')).join(', '));
  return (
    <dl class="facts">
      <dt>{s3.read}</dt>
      <dd>{textOf(read)}</dd>
      <dt>{s3.write}</dt>
      <dd>{textOf(write)}</dd>
    </dl>
  );
}
