/** What the lines for programs are filled with. */
interface Connection {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The bucket of the examples. */
  readonly bucket: string;
  /** A folder that the key may use, without a slash at its end; empty for the whole bucket. */
  readonly folder: string;
}

export const programs = ['awscli', 'rclone', 's3cmd', 'restic', 'JavaScript', 'Python'] as const;
export type Program = (typeof programs)[number];

/** Returns lines that set up a program and use it once. Each block runs as it is. */
export function recipeOf(program: Program, connection: Connection): string {
  return recipes[program]({ ...connection, endpoint: connection.endpoint.replace(/\/$/, '') });
}

const recipes: Readonly<Record<Program, (connection: Connection) => string>> = {
  awscli: (given) => `${environmentOf(given)}
export AWS_DEFAULT_REGION=${given.region}
aws configure set default.s3.addressing_style path
s3() { aws --endpoint-url ${quoted(given.endpoint)} s3 "$@"; }

s3 cp report.pdf ${quoted(`s3://${pathOf(given)}report.pdf`)}
s3 ls ${quoted(`s3://${pathOf(given)}`)}
`,
  rclone: (given) => `rclone config create cubby s3 provider=Other region=${given.region} \\
  endpoint=${quoted(given.endpoint)} acl=bucket-owner-full-control \\
  access_key_id=${quoted(given.accessKeyId)} secret_access_key=${quoted(given.secretAccessKey)}

rclone copy report.pdf ${quoted(`cubby:${pathOf(given)}`)}
rclone lsl ${quoted(`cubby:${pathOf(given)}`)}
`,
  s3cmd: (given) => {
    const { host, protocol } = new URL(given.endpoint);
    return `cat > ~/.s3cfg <<'END'
[default]
access_key = ${given.accessKeyId}
secret_key = ${given.secretAccessKey}
host_base = ${host}
host_bucket = ${host}
use_https = ${protocol === 'https:' ? 'True' : 'False'}
END
chmod 600 ~/.s3cfg

s3cmd put report.pdf ${quoted(`s3://${pathOf(given)}report.pdf`)}
s3cmd ls ${quoted(`s3://${pathOf(given)}`)}
`;
  },
  restic: (given) => `${environmentOf(given)}
export AWS_DEFAULT_REGION=${given.region} RESTIC_PASSWORD=choose-your-own
export RESTIC_REPOSITORY=${quoted(`s3:${given.endpoint}/${pathOf(given)}backups`)}

restic init
restic backup ~/documents
restic snapshots
`,
  JavaScript: (given) => `// npm install @aws-sdk/client-s3
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

const s3 = new S3Client({
  endpoint: ${JSON.stringify(given.endpoint)},
  region: ${JSON.stringify(given.region)},
  forcePathStyle: true,
  credentials: {
    accessKeyId: ${JSON.stringify(given.accessKeyId)},
    secretAccessKey: ${JSON.stringify(given.secretAccessKey)},
  },
});

const Key = ${JSON.stringify(keyOf(given))};
await s3.send(new PutObjectCommand({ Bucket: ${JSON.stringify(given.bucket)}, Key, Body: 'Hello' }));
`,
  Python: (given) => `# pip install boto3
import boto3
from botocore.config import Config

s3 = boto3.client(
    's3',
    endpoint_url=${JSON.stringify(given.endpoint)},
    region_name=${JSON.stringify(given.region)},
    aws_access_key_id=${JSON.stringify(given.accessKeyId)},
    aws_secret_access_key=${JSON.stringify(given.secretAccessKey)},
    config=Config(signature_version='s3v4', s3={'addressing_style': 'path'}),
)

s3.put_object(Bucket=${JSON.stringify(given.bucket)}, Key=${JSON.stringify(keyOf(given))}, Body=b'Hello')
`,
};

function environmentOf({ accessKeyId, secretAccessKey }: Connection): string {
  return `export AWS_ACCESS_KEY_ID=${quoted(accessKeyId)}
export AWS_SECRET_ACCESS_KEY=${quoted(secretAccessKey)}`;
}

function pathOf({ bucket, folder }: Connection): string {
  return folder === '' ? `${bucket}/` : `${bucket}/${folder}/`;
}

function keyOf({ folder }: Connection): string {
  return folder === '' ? 'hello.txt' : `${folder}/hello.txt`;
}

/** Returns a word of a shell, within quotes only where it needs them. */
export function quoted(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
