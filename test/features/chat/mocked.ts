import type { Mocked } from '#test/mocks/example-home.ts';

export const differences: Mocked['differences'] = [
  {
    codes: ['invalid_query'],
    operations: ['listAiRequests'],
    why: 'A cursor belongs to its filters. The mock has one for all.',
  },
];
