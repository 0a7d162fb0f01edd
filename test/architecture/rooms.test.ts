import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { features } from '#server/features.ts';
import { sourceFiles } from './imports.ts';
import { namingFiles } from './rooms.ts';

const root = join(import.meta.dirname, '../..');

type FeatureName = (typeof features)[number]['name'];

/**
 * The words that name a feature in code. Those of files, folders, rules, settings and apps are words of the whole house:
 * the layers keep their files apart.
 */
const words: { readonly [Name in FeatureName]?: RegExp } = {
  chat: /(?<![a-z])(?:chat|ai|llm)(?![a-z])|(?<=[a-z])(?:Ai|Chat)(?=[A-Z])|\b(?:ai|chat|Ai|Chat)[A-Z]|(?:^|_)ai_/,
  deploys: /deploy/i,
  devices: /device(?!-)/i,
  'edge-errors': /edge.?error/i,
  'file-requests': /file.?request/i,
  images: /image(?!\/|:)|variant/i,
  s3: /s3(?!:|\.)/i,
  shares: /(?<=[a-z])Shares?(?![a-z])|\bshares?(?=[A-Z_']|\.[a-z])|\bSHARE_[A-Z]+_|bundle/,
  trash: /trash/i,
  'upload-tokens': /upload.?token/i,
  uploads: /chunked|\btus\b/i,
  webhooks: /webhook/i,
};

/** The code of a file: without comments, and without texts for people. */
function codeOf(source: string): string {
  return source
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|[^:'"`])\/\/.*$/gm, '$1')
    .replaceAll(/'[^'\n]* [^'\n]*'|"[^"\n]* [^"\n]*"/g, (text) =>
      / (FROM|INTO|WHERE) |UPDATE /.test(text) ? text : "''",
    );
}

describe('the files outside the rooms', () => {
  const outside = sourceFiles().filter((file) => file.startsWith('server/') && !file.startsWith('server/features'));
  const names = outside.flatMap((file) => {
    const code = codeOf(readFileSync(join(root, file), 'utf8'));
    return Object.entries(words).flatMap(([name, word]) => (word.test(code) ? [`${file}: ${name}`] : []));
  });

  it('name no feature, apart from the vocabulary of the contract', () => {
    const allowed = namingFiles.flatMap(({ files }) =>
      Object.entries(files).flatMap(([file, of]) => of.split(' ').map((name) => `${file}: ${name}`)),
    );
    expect(names.filter((one) => !allowed.includes(one))).toEqual([]);
    expect(allowed.filter((one) => !names.includes(one))).toEqual([]);
  });
});
