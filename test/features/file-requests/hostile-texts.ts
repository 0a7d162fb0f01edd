import { expect } from 'vitest';

import { hostile, short, type HostileTexts } from '#test/browser/hostile-texts.ts';
import { createRequest, sendFiles } from '#test/support/file-requests.ts';

export const store: HostileTexts['store'] = async ({ server, account }) => {
  const request = await createRequest(server, account, { title: hostile.slice(0, 100), prefix: 'received' });
  const sent = await sendFiles(server, request, [[`${short}.txt`, 'x'.repeat(600)]], { sender: short });
  expect(sent.status).toBeLessThan(400);
  return [
    {
      path: '/requests',
      async look(page, go) {
        const links = page.getByRole('table').getByRole('link');
        const received = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
        expect(received.length).toBeGreaterThan(0);
        for (const href of received) await go(href.replace(/^\/console/, ''));
      },
    },
  ];
};
