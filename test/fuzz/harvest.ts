import type { FuzzRequest } from './draft.ts';
import type { Exchanged } from './exchanged.ts';
import { harvestS3 } from './harvest-s3.ts';
import { harvests } from './harvests/all.ts';
import { notePage } from './harvests/note.ts';
import type { World } from './world.ts';

/** Forgets an address that leads nowhere any more, because its file or its link has ended. */
function forgetEnded(world: World, { request, answer }: Exchanged): void {
  if (answer.status !== 404 && answer.status !== 410) return;
  const { pool } = world;
  for (const kind of ['sharePath', 'publicPath', 'linkTarget']) pool.remove(kind, request.target);
  const [, link, upload] = /^\/r\/([^/?]+)(?:\/uploads\/([^/?]+))?/.exec(request.target) ?? [];
  if (upload !== undefined) return pool.remove('sentUpload', `${link} ${upload}`);
  for (const kind of ['requestLink', 'lockedRequest', 'sentLink']) pool.remove(kind, link);
  pool.remove('lockedShare', /^\/s\/([^/?]+)/.exec(request.target)?.[1]);
}

/** Remembers what later requests can build on. */
export function harvest(world: World, exchanged: Exchanged): void {
  const { request, answer } = exchanged;
  // A page that another cookie was sent for has a form of somebody else.
  if (request.broken !== undefined && /Activation/.test(request.operation)) return;
  if (request.broken === undefined) forgetEnded(world, exchanged);
  if (request.operation.startsWith('s3.')) return harvestS3(world, exchanged);
  // A page that refuses has a new form.
  if (request.operation === 'submitActivation' && answer.status >= 400) return notePage(world, exchanged);
  if (answer.status >= 400 || request.method === 'HEAD' || request.method === 'OPTIONS') return;
  // What a client stored may be any JSON.
  if (
    isBrokenAddress(request) ||
    (exchanged.json === undefined && !/html|20[14]|303/.test(`${answer.headers['content-type']} ${answer.status}`))
  )
    return;
  harvests[request.operation]?.(world, exchanged);
}

/** Whether a broken request may have reached another operation. */
function isBrokenAddress({ broken }: FuzzRequest): boolean {
  return broken !== undefined && /(^|, )(method|path|door|bytes|preflight)/.test(broken);
}
