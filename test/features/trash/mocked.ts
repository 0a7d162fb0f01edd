import { exampleFile, made, madeFile, type Home, type Mocked } from '#test/mocks/example-home.ts';

export const makers: Mocked['makers'] = {
  '3aekqbzcr5v7mkq2n4x6w3z3b': async (home) => keptVersion(home, 'first'),
  '3aekqbzcs2d4f6h3j5k7m2n4p': async (home) => keptVersion(home, 'second'),
};

/** Deletes a file into the trash. Returns its version there. */
async function keptVersion(home: Home, name: string): Promise<string | undefined> {
  const { server, account } = home;
  const rules = JSON.stringify({ rules: [{ prefix: 'kept', keep_deleted_days: 30 }] });
  const { credential } = account;
  await server.send('/v1/account/settings', { method: 'PUT', credential, body: rules });
  const object = await madeFile(home, exampleFile(`kept/${name}.txt`));
  await server.send('/v1/objects', { method: 'DELETE', credential, body: JSON.stringify({ object }) });
  const { versions } = await made(home, '/v1/trash?prefix=kept/');
  return versions.find(({ id }: { readonly id: string }) => id === object)?.version;
}

export const notFound: Mocked['notFound'] = ['VERSION_NOT_FOUND'];

export const lists: Mocked['lists'] = ['listTrash'];
