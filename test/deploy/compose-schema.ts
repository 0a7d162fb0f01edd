/** A service of a compose file, as far as these tests look at it. */
interface ComposeService {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: string | readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly networks: readonly string[];
  readonly secrets?: readonly string[];
  readonly configs?: ReadonlyArray<{ readonly source: string; readonly target: string }>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, object>>;
  readonly networks: Readonly<Record<string, object>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
  readonly configs?: Readonly<Record<string, { readonly content: string }>>;
}

const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text };
const duration = { type: 'string', pattern: '^([0-9]+(ms|s|m|h))+$' };
const byName = (one: object) => ({ type: 'object', additionalProperties: one });
const exactly = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const service = {
  ...exactly(
    {
      image: text,
      build: exactly({ context: text, dockerfile: text }, ['context']),
      restart: { enum: ['no', 'always', 'on-failure', 'unless-stopped'] },
      stop_grace_period: duration,
      shm_size: text,
      user: text,
      read_only: { type: 'boolean' },
      cap_drop: texts,
      cap_add: texts,
      security_opt: texts,
      tmpfs: texts,
      entrypoint: { anyOf: [text, texts] },
      command: { anyOf: [text, texts] },
      // A number or a boolean would be turned into a text by guessing.
      environment: byName({ type: 'string' }),
      ports: { type: 'array', items: { type: 'string', pattern: '^([0-9.]+:)?[0-9]+:[0-9]+(/udp)?$' } },
      volumes: texts,
      networks: texts,
      secrets: texts,
      configs: { type: 'array', items: exactly({ source: text, target: text }, ['source', 'target']) },
      depends_on: {
        anyOf: [
          texts,
          byName(
            exactly({ condition: { enum: ['service_started', 'service_healthy', 'service_completed_successfully'] } }, [
              'condition',
            ]),
          ),
        ],
      },
      healthcheck: exactly(
        {
          test: { type: 'array', prefixItems: [{ enum: ['CMD', 'CMD-SHELL'] }], items: text },
          interval: duration,
          timeout: duration,
          retries: { type: 'integer' },
          start_period: duration,
        },
        ['test'],
      ),
    },
    ['networks'],
  ),
  anyOf: [{ required: ['image'] }, { required: ['build'] }],
};

/**
 * The parts of the compose specification that the files of `deploy/` use. Anything else is an error.
 *
 * @see https://github.com/compose-spec/compose-spec/blob/main/spec.md
 */
export const composeSchema = {
  type: 'object',
  properties: {
    name: text,
    services: byName(service),
    volumes: byName(exactly({})),
    networks: byName(exactly({ internal: { type: 'boolean' } })),
    secrets: byName(exactly({ file: text }, ['file'])),
    configs: byName(exactly({ content: text }, ['content'])),
  },
  patternProperties: { '^x-': {} },
  required: ['services'],
  additionalProperties: false,
};
