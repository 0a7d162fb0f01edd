import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { because, noProgram } from '#test/support/programs.ts';

const chart = join(import.meta.dirname, '../../deploy/helm');
const read = (path: string) => readFileSync(join(chart, path), 'utf8');
const missing = noProgram('go');

type Values = Record<string, any>;

const standard = { ...parse(read('values.yaml')), image: 'registry.example.com/cubby:1.0.0' } as Values;
const scale: Values = { ...standard, ...(parse(read('values.scale.yaml')) as Values) };

const isAllowed = new Ajv({ allErrors: true, strict: false }).compile(JSON.parse(read('values.schema.json')));

/** Renders the chart as Helm would, and returns its objects by their kind. */
function render(values: Values): Record<string, any> {
  const templates = Object.fromEntries(
    globSync('templates/*.yaml', { cwd: chart }).map((path) => [basename(path), read(path)]),
  );
  const rendered = execFileSync('go', ['run', join(import.meta.dirname, 'render-chart.go')], {
    input: JSON.stringify({ values, name: 'cubby', templates }),
    encoding: 'utf8',
    env: { ...process.env, GO111MODULE: 'off', GOFLAGS: '' },
  });
  const objects = Object.values<string>(JSON.parse(rendered)).flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => {
      expect(document.errors).toEqual([]);
      return document.contents === null ? [] : [document.toJS() as { kind: string }];
    }),
  );
  return Object.fromEntries(objects.map((object) => [object.kind, object]));
}

describe('values.schema.json', () => {
  it.each([
    ['values.yaml', standard],
    ['values.scale.yaml', scale],
  ])('allows %s', (_name, values) => {
    expect(isAllowed(values), JSON.stringify(isAllowed.errors)).toBe(true);
  });

  it.each([
    ['a value with a typing mistake', { replica: 2 }],
    ['a number where Kubernetes wants a text', { env: { CUBBY_WORKERS: 2 } }],
    ['a variable of something else', { env: { PATH: '/bin' } }],
    ['a secret at no folder', { secrets: { key: 'master-key' } }],
    ['less time than a stop takes', { terminationGracePeriodSeconds: 10 }],
    ['no replica', { replicas: 0 }],
    ['no image, because none is published', { image: '' }],
    ['several replicas without a database and a bucket', { replicas: 2 }],
    [
      'several replicas with only a database',
      { replicas: 2, env: { CUBBY_DATABASE_URL: scale.env.CUBBY_DATABASE_URL } },
    ],
    ['several replicas with only a bucket', { replicas: 3, env: { CUBBY_BLOBS_URL: scale.env.CUBBY_BLOBS_URL } }],
    ['a volume without a size', { volume: {} }],
    ['a size that is none', { resources: { limits: { memory: 'much' } } }],
    ['an empty peer, which would be everybody', { networkPolicy: { enabled: true, clients: [{}] } }],
  ])('refuses %s', (_name, change) => {
    expect(isAllowed({ ...standard, ...change })).toBe(false);
  });
});

describe.skipIf(missing)(`the chart${because(missing)}`, () => {
  it('runs the server with few rights, and probes it where it answers', () => {
    const { Deployment, Service, PodDisruptionBudget, NetworkPolicy } = render(scale);
    const { spec } = Deployment.spec.template;
    expect(Deployment.spec.replicas).toBe(3);
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    const [container] = spec.containers;
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'api' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'api' });
    expect(container.env).toContainEqual({ name: 'CUBBY_WORKERS', value: '2' });
    expect(container.resources).toEqual(scale.resources);
    // Every mounted volume is defined, with the secrets.
    const volumes = spec.volumes.map(({ name }: { name: string }) => name);
    for (const { name } of container.volumeMounts) expect(volumes).toContain(name);
    expect(volumes).toEqual(expect.arrayContaining(Object.keys(scale.secrets)));
    const ports = container.ports.map(({ name }: { name: string }) => name);
    for (const { targetPort } of Service.spec.ports) expect(ports).toContain(targetPort);
    expect(Service.spec.ports.map(({ port }: { port: number }) => port)).not.toContain(7404);
    expect(PodDisruptionBudget.spec.maxUnavailable).toBe(1);
    for (const one of [
      Service.spec.selector,
      PodDisruptionBudget.spec.selector.matchLabels,
      NetworkPolicy.spec.podSelector.matchLabels,
    ])
      expect(one).toEqual(Deployment.spec.template.metadata.labels);
  });

  it('keeps the files of one server on a volume that outlives the release, and lets one pod at a time use it', () => {
    const { Deployment, PersistentVolumeClaim } = render({
      ...standard,
      volume: { size: '5Gi', storageClass: 'fast' },
    });
    expect(Deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    expect(PersistentVolumeClaim).toMatchObject({
      metadata: { name: 'cubby-data', annotations: { 'helm.sh/resource-policy': 'keep' } },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '5Gi' } } },
    });
    const dataOf = ({ spec }: Values) => spec.template.spec.volumes.find(({ name }: Values) => name === 'data');
    expect(dataOf(Deployment)).toEqual({ name: 'data', persistentVolumeClaim: { claimName: 'cubby-data' } });
    // Rows or files on the volume are enough to need it.
    const { CUBBY_DATABASE_URL, CUBBY_BLOBS_URL } = scale.env;
    for (const env of [{ CUBBY_DATABASE_URL }, { CUBBY_BLOBS_URL }])
      expect(render({ ...standard, env })).toHaveProperty('PersistentVolumeClaim.spec');
    const shared = render(scale);
    expect(shared).not.toHaveProperty('PersistentVolumeClaim');
    expect(dataOf(shared.Deployment)).toEqual({ name: 'data', emptyDir: {} });
    expect(shared.Deployment.spec.strategy).toHaveProperty('rollingUpdate');
  });

  it('lets nobody reach the operator’s port unless it is said who', () => {
    const open = render(standard).NetworkPolicy;
    expect(open.spec.ingress).toEqual([{ ports: ['api', 'files', 'public', 's3'].map((port) => ({ port })) }]);
    const monitoring = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };
    const proxy = { podSelector: { matchLabels: { app: 'proxy' } } };
    const narrow = render({ ...standard, networkPolicy: { enabled: true, clients: [proxy], operators: [monitoring] } });
    expect(narrow.NetworkPolicy.spec.ingress).toEqual([
      { ports: ['api', 'files', 'public', 's3'].map((port) => ({ port })), from: [proxy] },
      { ports: [{ port: 'operator' }], from: [monitoring] },
    ]);
    expect(render({ ...standard, networkPolicy: { enabled: false } })).not.toHaveProperty('NetworkPolicy');
  });
});
