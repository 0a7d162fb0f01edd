import { made, type Mocked } from '#test/mocks/example-home.ts';

export const makers: Mocked['makers'] = {
  job_example01: async (home) =>
    (await made(home, '/v1/folders/jobs', { action: 'delete', prefix: 'builds', dry_run: true }))?.id,
};

export const notFound: Mocked['notFound'] = ['FOLDER_JOB_NOT_FOUND'];
