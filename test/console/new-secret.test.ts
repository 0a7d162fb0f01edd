import { expect, it } from 'vitest';

import { newSecret } from '../../console/screens/deploys/new-secret.ts';

it('newSecret() is another one each time, of letters and digits', () => {
  const secrets = new Set(Array.from({ length: 100 }, newSecret));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9]{40}$/);
});
