import { bodyOf, cursor, targetOf, type Harvest } from './note.ts';

export const fileRequests: Readonly<Record<string, Harvest>> = {
  createFileRequest: (world, exchanged) => {
    const { id, url } = exchanged.json.response;
    const link = targetOf(url)?.split('/').at(-1);
    const { password } = bodyOf(exchanged);
    world.pool.add('fileRequest', id);
    if (typeof password !== 'string') return world.pool.add('requestLink', link);
    world.passwords.set(link!, password);
    world.pool.add('lockedRequest', link);
  },
  deleteFileRequest: (world, exchanged) => world.pool.remove('fileRequest', bodyOf(exchanged).id),
  listFileRequests: cursor('fileRequestCursor'),
  submitFiles: (world, { request, answer }) => {
    const link = request.target.split('/').at(-1);
    const cookie = /^[^;]+/.exec(answer.cookies[0] ?? '')?.[0];
    if (link === undefined || cookie === undefined) return;
    world.passwords.set(`sender ${link}`, cookie);
    world.pool.add('sentLink', link);
  },
  startSentUpload: (world, { request, answer, json }) => {
    const link = request.target.split('/').at(-2);
    const cookie = /^[^;]+/.exec(answer.cookies[0] ?? '')?.[0];
    const { upload, complete } = json.response;
    if (link === undefined || cookie === undefined || complete) return;
    world.passwords.set(`upload ${link} ${upload}`, cookie);
    world.pool.add('sentUpload', `${link} ${upload}`);
  },
};
