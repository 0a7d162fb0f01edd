import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import { parseQuery } from '#server/http/query.ts';
import { sendJson } from '#server/pipeline/send-body.ts';
import { stories, type Story } from './stories.ts';
import type { StoryRuns } from './story-runs.ts';

/** The address of the list of stories. No path of the contract begins like it. */
export const storiesPath = '/_mock/stories';

const table: Readonly<Record<string, Story>> = stories;

/**
 * Returns the listener of the mock's own addresses: `GET /_mock/stories` lists the stories, and
 * `DELETE /_mock/stories/<name>?run=<id>` lets one begin again.
 */
export function storyPages(runs: StoryRuns): RequestListener {
  return (req, res) => {
    const name = decodedName(req);
    if (name === undefined)
      return req.method === 'GET' || req.method === 'HEAD'
        ? sendJson(res, 200, {
            stories: Object.entries(table).map(([id, { about, scenes }]) => ({ name: id, about, scenes })),
          })
        : refuse(res, 405, `${storiesPath} takes GET.`, 'GET, HEAD');
    if (!Object.hasOwn(table, name))
      return refuse(res, 404, `There is no story "${name}". GET ${storiesPath} lists them.`);
    if (req.method !== 'DELETE') return refuse(res, 405, 'A story takes DELETE, which lets it begin again.', 'DELETE');
    runs.restart(name, parseQuery(req.url!).get('run')?.at(-1));
    res.writeHead(204).end();
  };
}

function decodedName({ url = '' }: IncomingMessage): string | undefined {
  return url.split('?', 1)[0]!.slice(storiesPath.length + 1) || undefined;
}

function refuse(res: ServerResponse, status: number, detail: string, allow?: string): void {
  if (allow !== undefined) res.setHeader('Allow', allow);
  sendJson(res, status, { title: 'The mock cannot do that.', status, detail });
}
