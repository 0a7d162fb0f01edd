import { made, type Mocked } from '#test/mocks/example-home.ts';

export const makers: Mocked['makers'] = {
  wh_example01: async (home) => (await made(home, '/v1/webhooks', { url: 'https://hooks.example.invalid/cubby' }))?.id,
};

export const notFound: Mocked['notFound'] = ['WEBHOOK_NOT_FOUND'];

export const lists: Mocked['lists'] = ['listWebhookDeliveries'];
